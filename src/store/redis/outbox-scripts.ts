import { OUTBOX, RUN } from "./lua.ts";
import { type Script, scriptOf } from "./script-runner.ts";

/** The epoch of an entry that somebody else wrote into the stream. */
export const FOREIGN_EPOCH = "foreign";

/** `KEYS`: audit. `ARGV`: limit. Answers the oldest entries. */
export const DRAIN: Script = scriptOf(`
return redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[1])
`);

/**
 * `KEYS`: outbox, audit. `ARGV`: epoch, sequence. Forgets events up to this one, unless the number stands for an event of
 * another epoch by now. What lies before it was written before it was.
 */
export const ACKNOWLEDGE: Script = scriptOf(`
local last = redis.call('XREVRANGE', KEYS[2], ARGV[2], '-', 'COUNT', 1)[1]
if not last or (last[2][4] or '${FOREIGN_EPOCH}') ~= ARGV[1] then return { 'other' } end
local upto = tonumber(string.match(last[1], '^%d+'))
redis.call('XTRIM', KEYS[2], 'MINID', string.format('%d-0', upto + 1))
redis.call('HSET', KEYS[1], 'trimmed', string.format('%d', upto))
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
return { string.format('%d', now),
  redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now), 'WITHSCORES', 'LIMIT', ARGV[1], ARGV[2]) }
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
  move(run, KEYS[1], ARGV[6])
end
push(outbox, KEYS[4], KEYS[5], ARGV[5], ARGV[6], tonumber(ARGV[7]))
return { 'abandoned' }
`);
