import { OUTBOX, RUN } from "./lua.ts";
import { type Script, scriptOf } from "./script-runner.ts";

/**
 * `KEYS`: run, call, index, in flight.
 * `ARGV`: 1 stamp of the run if its state is known, 2 revision, 3 attempt, 4 wanted amounts, 5 TTL in ms, 6 call key, 7 shown id,
 * 8 record, 9 ms until the deadline, 10 what a sweep must know of the call, then the change of progress.
 * Answers `begun` with allowance and state, `stale` with state, or `refused` with a code.
 */
export const BEGIN: Script = scriptOf(`${RUN}
local run, fault = load(KEYS[1])
if fault == 'gone' or (run and run.status ~= 'ACTIVE') then return { 'refused', 'RUN_NOT_ACTIVE' } end
if fault then return { fault } end
local call = redis.call('HMGET', KEYS[2], 'v', 'attempt', 'allowance')
local indexed = redis.call('HEXISTS', KEYS[3], ARGV[6]) == 1
if call[1] and call[1] ~= VERSION then return { 'version' } end
if call[2] == ARGV[3] and call[3] then return reply('begun', call[3], run, KEYS[1]) end
if indexed or redis.call('EXISTS', KEYS[2]) == 1 then return { 'refused', 'DUPLICATE_CALL_ID' } end
if not current(run, ARGV[2], ARGV[1]) then return reply('stale', '', run, KEYS[1]) end

local wanted = amounts(ARGV[4])
local left = {}
for i = 1, 4 do left[i] = run.limits[i] - run.used[i] end
if left[1] < wanted[1] or left[2] < wanted[2] or (wanted[3] > 0 and left[3] <= 0) or (wanted[4] > 0 and left[4] <= 0) then
  return { 'refused', 'BUDGET_EXHAUSTED' }
end
local allowed = { wanted[1], wanted[2], math.min(wanted[3], left[3]), math.min(wanted[4], left[4]) }
for i = 1, 4 do run.used[i] = run.used[i] + allowed[i] end
local allowance = show(allowed)
local flight = run.session .. ' ' .. allowance .. ' ' .. ARGV[10]
local ordinal = redis.call('HLEN', KEYS[3]) + 1
redis.call('ZCARD', KEYS[4])
local time = redis.call('TIME')

move(run, KEYS[1], ARGV[3], 11)
redis.call('HSET', KEYS[2], 'v', VERSION, 'status', 'PROJECTING', 'record', ARGV[8], 'attempt', ARGV[3],
  'allowance', allowance, 'flight', flight)
redis.call('PEXPIRE', KEYS[2], math.min(tonumber(ARGV[5]), run.ttl))
redis.call('HSET', KEYS[3], ARGV[6], ordinal .. ' ' .. ARGV[7])
if ordinal == 1 then redis.call('PEXPIRE', KEYS[3], run.ttl) end
redis.call('ZADD', KEYS[4], time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[9], flight)
return reply('begun', allowance, run, KEYS[1], ARGV[1] ~= '')
`);

/**
 * `KEYS`: run, call, in flight, outbox, audit.
 * `ARGV`: 1 stamp of the run if its state is known, 2 revision, 3 attempt, 4 spent amounts, 5 status, 6 outcome, 7 raw, 8 event,
 * 9 epoch if a new one begins, 10 limit of the stream, 11 secrets not kept, then the change of progress, then field and value of
 * run memory in turns.
 * Answers `settled` or `stale` with the state, `gone` or `already`.
 * To take an ERROR even from a server at its maxmemory, it begins with a write that needs no memory.
 */
export const SETTLE: Script = scriptOf(`${RUN}${OUTBOX}
local run, fault = load(KEYS[1])
if not run then return { fault } end
local call = redis.call('HMGET', KEYS[2], 'v', 'status', 'settled', 'allowance', 'flight')
if not call[1] then return { redis.call('EXISTS', KEYS[2]) == 0 and 'gone' or 'damaged' } end
if call[1] ~= VERSION then return { 'version' } end
if call[3] == ARGV[3] then return reply('settled', '', run, KEYS[1]) end
if call[2] == 'READY' or call[2] == 'ERROR' then return { 'already' } end
local allowed = amounts(call[4])
if call[2] ~= 'PROJECTING' or not allowed or not call[5] then return { 'damaged' } end
if not current(run, ARGV[2], ARGV[1]) then return reply('stale', '', run, KEYS[1]) end
local spent = amounts(ARGV[4])
for i = 1, 4 do run.used[i] = run.used[i] - allowed[i] + spent[i] end
redis.call('ZSCORE', KEYS[3], call[5])
local outbox = peek(KEYS[4], KEYS[5])

if ARGV[5] == 'ERROR' then redis.call('ZREM', KEYS[3], call[5]) end
local memory = move(run, KEYS[1], ARGV[3], 12)
if ARGV[5] == 'ERROR' then
  redis.call('HSET', KEYS[2], 'status', 'ERROR', 'settled', ARGV[3], 'outcome', ARGV[6])
else
  redis.call('HSET', KEYS[2], 'status', 'READY', 'settled', ARGV[3], 'outcome', ARGV[6], 'raw', ARGV[7])
  redis.call('ZREM', KEYS[3], call[5])
end
if ARGV[11] ~= '0' then redis.call('HINCRBY', KEYS[1], 'dropped', ARGV[11]) end
for i = memory, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 0 then
    redis.call('HSET', KEYS[1], ARGV[i], redis.call('HLEN', KEYS[1]) .. ' ' .. ARGV[i + 1])
  end
end
push(outbox, KEYS[4], KEYS[5], ARGV[8], ARGV[9], tonumber(ARGV[10]))
return reply('settled', '', run, KEYS[1], ARGV[1] ~= '')
`);

/**
 * `KEYS`: run, outbox, audit.
 * `ARGV`: 1 stamp of the run if its state is known, 2 revision, 3 attempt, 4 charge, 5 event, 6 epoch if a new one begins, 7 limit
 * of the stream, 8 how many attempts are remembered, then the change of progress. Answers `refused` or `stale` with the state, or `gone`.
 */
export const REFUSE: Script = scriptOf(`${RUN}${OUTBOX}
local run, fault = load(KEYS[1])
if not run then return { fault } end
local remembered = redis.call('HGET', KEYS[1], 'refusals') or '\\n'
local attempt = '\\n' .. ARGV[3] .. '\\n'
if string.find(remembered, attempt, 1, true) then return reply('refused', '', run, KEYS[1]) end
if not current(run, ARGV[2], ARGV[1]) then return reply('stale', '', run, KEYS[1]) end
local charge = amounts(ARGV[4])
for i = 1, 4 do run.used[i] = run.used[i] + charge[i] end
local outbox = peek(KEYS[2], KEYS[3])
remembered = remembered .. ARGV[3] .. '\\n'
local _, count = string.gsub(remembered, '\\n', '')
if count - 1 > tonumber(ARGV[8]) then remembered = string.sub(remembered, (string.find(remembered, '\\n', 2, true))) end

move(run, KEYS[1], ARGV[3], 9)
redis.call('HSET', KEYS[1], 'refusals', remembered)
push(outbox, KEYS[2], KEYS[3], ARGV[5], ARGV[6], tonumber(ARGV[7]))
return reply('refused', '', run, KEYS[1], ARGV[1] ~= '')
`);

/**
 * `KEYS`: run, index, then calls. `ARGV`: `raw` where raw is wanted too, then the calls' keys in the index.
 * Answers for each call `absent`, `expired`, or `found` with version, status, record, outcome and raw. It writes nothing.
 */
export const READ: Script = scriptOf(`
local answers = {}
local known = redis.call('EXISTS', KEYS[1]) == 1
for i = 1, #ARGV - 1 do
  local call = KEYS[i + 2]
  if not known or redis.call('HEXISTS', KEYS[2], ARGV[i + 1]) == 0 then
    answers[i] = { 'absent' }
  elseif redis.call('EXISTS', call) == 0 then
    answers[i] = { 'expired' }
  else
    local f = redis.call('HMGET', call, 'v', 'status', 'record', 'outcome')
    answers[i] = { 'found', f[1], f[2], f[3], f[4], ARGV[1] == 'raw' and redis.call('HGET', call, 'raw') }
  end
end
return answers
`);
