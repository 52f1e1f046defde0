import { RUN } from "./lua.ts";
import { type Script, scriptOf } from "./script-runner.ts";

/** `KEYS`: partitions key. `ARGV`: number of partitions. Answers what is stored, which is the given number where nothing was. */
export const PARTITIONS: Script = scriptOf(`
local stored = redis.call('GET', KEYS[1])
if not stored then
  redis.call('SET', KEYS[1], ARGV[1])
  stored = ARGV[1]
end
return { stored }
`);

/** `KEYS`: run, index. `ARGV`: TTL in ms, then field and value of the run in turns. Answers `opened` or `exists`. */
export const OPEN_RUN: Script = scriptOf(`
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then return { 'exists' } end
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return { 'opened' }
`);

/** `KEYS`: run. Answers `found` and the state, or `gone`. */
export const READ_RUN: Script = scriptOf(`${RUN}
local run, fault = load(KEYS[1])
if not run then return { fault } end
return reply('found', '', run, KEYS[1])
`);

/** `KEYS`: run. `ARGV`: status, reason, attempt. Answers `closed` or `already` and the state, or `gone`. */
export const CLOSE_RUN: Script = scriptOf(`${RUN}
local run, fault = load(KEYS[1])
if not run then return { fault } end
if redis.call('HGET', KEYS[1], 'closed') == ARGV[3] then return reply('closed', '', run, KEYS[1]) end
if run.status ~= 'ACTIVE' then return reply('already', '', run, KEYS[1]) end
redis.call('HSET', KEYS[1], 'status', ARGV[1], 'reason', ARGV[2], 'closed', ARGV[3])
run.status, run.reason = ARGV[1], ARGV[2]
return reply('closed', '', run, KEYS[1])
`);

/** `KEYS`: run, index. Answers the index's fields and values in turns. */
export const LIST: Script = scriptOf(`
if redis.call('EXISTS', KEYS[1]) == 0 then return {} end
return redis.call('HGETALL', KEYS[2])
`);
