/**
 * Parts that the scripts share. Rules for all of them: every key is declared, nothing is newer than Redis 7.0, and all reads
 * and checks come before the first write, because a script that fails half way is not rolled back.
 */

/** Version of what is stored. A process that meets a higher one changes nothing. */
export const STORED_VERSION = "1";

/**
 * `load(key)` gives a run, or nil and `gone`, `version` or `damaged`. A run's time is the TTL of its key and nothing else: it is
 * active while more than `keep` is left. `reply(kind, allowance, run, key, known)` answers with the run's state: in full, or in
 * brief to a caller that has the state before this change, as the run's salt in `known` proves.
 */
export const RUN: string = `
local VERSION = '${STORED_VERSION}'
local function amounts(text)
  local c, q, r, p = string.match(text or '', '^(-?%d+) (-?%d+) (-?%d+) (-?%d+)$')
  return c and { tonumber(c), tonumber(q), tonumber(r), tonumber(p) }
end
local function show(a)
  return string.format('%.0f %.0f %.0f %.0f', a[1], a[2], a[3], a[4])
end
local function load(key)
  local f = redis.call('HMGET', key, 'v', 'status', 'reason', 'keep', 'limits', 'used', 'revision', 'salt', 'session')
  if not f[1] then return nil, redis.call('EXISTS', key) == 0 and 'gone' or 'damaged' end
  if f[1] ~= VERSION then return nil, 'version' end
  local run = { status = f[2], reason = f[3], keep = tonumber(f[4]), limits = amounts(f[5]), used = amounts(f[6]),
    revision = tonumber(f[7]), salt = f[8], session = f[9] }
  if not (run.status and run.reason and run.keep and run.limits and run.used and run.revision and run.salt and run.session) then
    return nil, 'damaged'
  end
  if run.status == 'ACTIVE' and redis.call('PTTL', key) <= run.keep then run.status = 'EXPIRED' end
  return run
end
local function reply(kind, allowance, run, key, known)
  if known == run.salt then
    return { kind, allowance, run.status, run.reason, string.format('%.0f', run.revision), show(run.used) }
  end
  return { kind, allowance, run.status, redis.call('HGETALL', key) }
end
local function move(run, key, progress)
  run.revision = run.revision + 1
  redis.call('HSET', key, 'used', show(run.used), 'revision', string.format('%.0f', run.revision), 'progress', progress)
end
`;

/**
 * `peek` reads where the outbox stands, `push` appends one event under the next sequence number and keeps the stream within its
 * limit. An outbox that is gone or does not fit its stream has lost data: it begins a new epoch, and what is left is counted as
 * lost, since nobody can say which of it was written.
 */
export const OUTBOX: string = `
local function peek(outbox, stream)
  local f = redis.call('HMGET', outbox, 'epoch', 'seq', 'trimmed')
  local o = { seq = tonumber(f[2]), trimmed = tonumber(f[3]), length = redis.call('XLEN', stream) }
  o.sound = f[1] and o.seq and o.trimmed and (o.length > 0 or o.seq == o.trimmed)
  return o
end
local function renew(o, outbox, stream, epoch)
  local lost = o.length
  if lost == 0 and o.seq and o.trimmed then lost = o.seq - o.trimmed end
  redis.call('DEL', stream)
  if lost > 0 then redis.call('HINCRBY', outbox, 'lost', lost) end
  redis.call('HSET', outbox, 'epoch', epoch, 'seq', 0, 'trimmed', 0)
  o.seq, o.trimmed, o.length = 0, 0, 0
end
local function push(o, outbox, stream, event, epoch, limit)
  if not o.sound then renew(o, outbox, stream, epoch) end
  local added = redis.pcall('XADD', stream, string.format('%.0f-0', o.seq + 1), 'e', event)
  if type(added) == 'table' and added.err then
    renew(o, outbox, stream, epoch)
    redis.call('XADD', stream, '1-0', 'e', event)
  end
  o.seq = o.seq + 1
  redis.call('HSET', outbox, 'seq', string.format('%.0f', o.seq))
  if o.length + 1 > limit then
    local dropped = redis.call('XTRIM', stream, 'MAXLEN', limit)
    redis.call('HINCRBY', outbox, 'dropped', dropped)
    redis.call('HINCRBY', outbox, 'trimmed', dropped)
  end
end
`;
