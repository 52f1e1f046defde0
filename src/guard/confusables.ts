/** Letters of other scripts that look like Latin ones, and the letters they look like. */
const LOOKALIKES =
  "аaеeоoрpсcуyхxѕsіiјjԁdһhԛqԝwкkмmнhтtвbгrпnзeАAВBЕEКKМMНHОOРPСCТTУYХXЅSІIЈJҮYԌGԚQԜWЗ3Ь6бbαaβbεeιiκkνvοoρpτtυuχxγyωwΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXᴀaᴄcᴇeᴋkᴍmᴏoᴛtᴠvᴡwᴢzɑaɡgıiǀlоoօoսuոnցgհhՏSⅼlⅰiⅴvⅹxꓐBꓑPꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓥVꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴUᎪAᏴBᏟCᎬEᎻHᎥiᎫJᏦKᏞLᎷMᏢPᏚSᎢTᏙVᎳWᏃZ";

const TO_LATIN: ReadonlyMap<string, string> = new Map(
  [...LOOKALIKES].flatMap((char, i, all) => (i % 2 === 0 ? [[char, all[i + 1] ?? char] as const] : [])),
);

/** The text with look-alike letters turned into Latin ones. Equal to the input where there are none. */
export function foldConfusables(text: string): string {
  if (!/[^\u0000-\u024f\u2e80-\u9fff]/.test(text)) return text;
  return [...text].map((char) => TO_LATIN.get(char) ?? char).join("");
}
