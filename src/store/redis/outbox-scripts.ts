import { OUTBOX, RUN } from "./lua.ts";
import { type Script, scriptOf } from "./script-runner.ts";

/** `KEYS`: outbox, audit. `ARGV`: limit. Answers the epoch and the oldest entries. */
export const DRAIN: Script = scriptOf(`
return { redis.call('HGET', KEYS[1], 'epoch'), redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', ARGV[1]) }
`);

/** `KEYS`: outbox, audit. `ARGV`: epoch, sequence. Forgets events up to this one; those of another epoch are left alone. */
export const ACKNOWLEDGE: Script = scriptOf(`
local f = redis.call('HMGET', KEYS[1], 'epoch', 'seq', 'trimmed')
local seq, trimmed = tonumber(f[2]), tonumber(f[3])
if f[1] ~= ARGV[1] or not seq or not trimmed then return { 'other' } end
local upto = math.min(tonumber(ARGV[2]), seq)
if upto > trimmed then
  redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', upto + 1))
  redis.call('HSET', KEYS[1], 'trimmed', string.format('%.0f', upto))
end
return { 'done' }
`);

/** `KEYS`: outbox, audit. Answers how many events wait, and how many were dropped and lost so far. */
export const USAGE: Script = scriptOf(`
local f = redis.call('HMGET', KEYS[1], 'dropped', 'lost')
return { tostring(redis.call('XLEN', KEYS[2])), f[1] or '0', f[2] or '0' }
`);

/** `KEYS`: in flight. `ARGV`: how many to pass over, how many at most. Answers the time and the overdue calls with their moments. */
export const OVERDUE: Script = scriptOf(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return { string.format('%.0f', now),
  redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'WITHSCORES', 'LIMIT', ARGV[1], ARGV[2]) }
`);

/**
 * `KEYS`: run, call, in flight, outbox, audit.
 * `ARGV`: 1 the call's member in flight, 2 its allowance, 3 spent amounts, 4 outcome, 5 event, 6 epoch if a new one begins,
 * 7 limit of the stream. Answers `abandoned`, or `already` when somebody else was first, or `version`.
 * Who takes the member out of the set has the right to the rest. The event is kept even where record or run are gone or damaged.
 */
export const ABANDON: Script = scriptOf(`${RUN}${OUTBOX}
if not redis.call('ZSCORE', KEYS[3], ARGV[1]) then return { 'already' } end
local run, fault = load(KEYS[1])
if fault == 'version' then return { 'version' } end
local call = redis.call('HMGET', KEYS[2], 'v', 'status')
local outbox = peek(KEYS[4], KEYS[5])

redis.call('ZREM', KEYS[3], ARGV[1])
if call[1] == VERSION and call[2] == 'PROJECTING' then
  redis.call('HSET', KEYS[2], 'status', 'ERROR', 'settled', 'swept', 'outcome', ARGV[4])
end
if run then
  local allowed, spent = amounts(ARGV[2]), amounts(ARGV[3])
  for i = 1, 4 do run.used[i] = run.used[i] - allowed[i] + spent[i] end
  redis.call('HSET', KEYS[1], 'used', show(run.used), 'revision', string.format('%.0f', run.revision + 1))
end
push(outbox, KEYS[4], KEYS[5], ARGV[5], ARGV[6], tonumber(ARGV[7]))
return { 'abandoned' }
`);
