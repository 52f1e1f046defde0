/**
 * Parts that the scripts share. Rules for all of them: every key is declared, nothing is newer than Redis 7.0, and all reads
 * and checks come before the first write, because a script that fails half way is not rolled back.
 */

/** Version of what is stored. A process that meets a higher one changes nothing. */
export const STORED_VERSION = "1";

/**
 * `load(key)` gives a run, or nil and `gone`, `version` or `damaged`. A run's time is the TTL of its key and nothing else: it is
 * active while more than `keep` is left. Every change leaves a stamp of its own: `current(run, revision, known)` says whether a
 * caller's state is the one that is stored, which the revision alone does not after a failover that lost writes.
 * `reply(kind, allowance, run, key, brief)` answers with the run's state: in full, or in brief to a caller that has the one before.
 * `move(run, key, stamp, at)` writes a run's next state, with the change of its progress that the arguments from `at` on hold: how
 * many set fields, how many name fields to remove (`all`: every part), then these. It answers the argument after them.
 */
export const RUN: string = `
local VERSION = '${STORED_VERSION}'
local function amounts(text)
  local c, q, r, p = string.match(text or '', '^(-?%d+) (-?%d+) (-?%d+) (-?%d+)$')
  return c and { tonumber(c), tonumber(q), tonumber(r), tonumber(p) }
end
local function show(a)
  return string.format('%d %d %d %d', a[1], a[2], a[3], a[4])
end
local function load(key)
  local f = redis.call('HMGET', key, 'v', 'status', 'reason', 'keep', 'limits', 'used', 'revision', 'stamp', 'session')
  if not f[1] then return nil, redis.call('EXISTS', key) == 0 and 'gone' or 'damaged' end
  if f[1] ~= VERSION then return nil, 'version' end
  local run = { status = f[2], reason = f[3], keep = tonumber(f[4]), limits = amounts(f[5]), used = amounts(f[6]),
    revision = tonumber(f[7]), stamp = f[8], session = f[9] }
  if not (run.status and run.reason and run.keep and run.limits and run.used and run.revision and run.stamp and run.session) then
    return nil, 'damaged'
  end
  run.ttl = redis.call('PTTL', key)
  if run.status == 'ACTIVE' and run.ttl <= run.keep then run.status = 'EXPIRED' end
  return run
end
local function current(run, revision, known)
  return string.format('%d', run.revision) == revision and (known == '' or known == run.stamp)
end
local function reply(kind, allowance, run, key, brief)
  if brief then
    return { kind, allowance, string.format('%d %s %s %s', run.revision, show(run.used), run.status, run.reason) }
  end
  return { kind, allowance, run.status, redis.call('HGETALL', key) }
end
local function move(run, key, stamp, at)
  run.revision = run.revision + 1
  local sets, removes, from = tonumber(at and ARGV[at] or 0), ARGV[(at or 0) + 1], (at or 0) + 2
  local upto = from + sets - 1
  redis.call('HSET', key, 'used', show(run.used), 'revision', string.format('%d', run.revision), 'stamp', stamp,
    unpack(ARGV, from, math.min(upto, from + 999)))
  for i = from + 1000, upto, 1000 do redis.call('HSET', key, unpack(ARGV, i, math.min(i + 999, upto))) end
  if not at then return end
  if removes ~= 'all' then
    for i = upto + 1, upto + removes do redis.call('HDEL', key, ARGV[i]) end
    return upto + 1 + removes
  end
  local kept = {}
  for i = from, upto, 2 do kept[ARGV[i]] = true end
  for _, field in ipairs(redis.call('HKEYS', key)) do
    if not kept[field] and (field == 'p' or string.sub(field, 1, 2) == 'p:') then redis.call('HDEL', key, field) end
  end
  return upto + 1
end
`;

/**
 * `peek` reads where the outbox stands, `push` appends one event under the next sequence number and keeps the stream within its
 * limit. An epoch is the life of one server process as a primary: after a restart or a failover, which may have lost the latest
 * writes, a new one begins, so that a number which was given out before does not stand for another event. The numbers go on.
 * Each entry carries its epoch. Events are counted as lost when the stream is gone, or takes no further number because somebody
 * else has written to it.
 */
export const OUTBOX: string = `
local function peek(outbox, stream)
  local f = redis.call('HMGET', outbox, 'epoch', 'life', 'seq', 'trimmed')
  local o = { epoch = f[1], seq = tonumber(f[3]), trimmed = tonumber(f[4]), length = redis.call('XLEN', stream), lost = 0 }
  o.life = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
  if not (o.seq and o.trimmed) then
    local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
    o.seq = last and tonumber(string.match(last[1], '^%d+')) or 0
    o.trimmed, o.epoch = o.seq - o.length, false
  end
  if o.length == 0 and o.seq > o.trimmed then
    o.lost, o.trimmed, o.epoch = o.seq - o.trimmed, o.seq, false
  end
  if f[2] ~= o.life then o.epoch = false end
  return o
end
local function push(o, outbox, stream, event, epoch, limit)
  o.seq, o.epoch = o.seq + 1, o.epoch or epoch
  local added = redis.pcall('XADD', stream, string.format('%d-0', o.seq), 'e', event, 'p', o.epoch)
  if type(added) == 'table' and added.err then
    redis.call('DEL', stream)
    o.lost, o.trimmed, o.length, o.epoch = o.length, o.seq - 1, 0, epoch
    redis.call('XADD', stream, string.format('%d-0', o.seq), 'e', event, 'p', epoch)
  end
  if o.length + 1 > limit then
    local dropped = redis.call('XTRIM', stream, 'MAXLEN', limit)
    redis.call('HINCRBY', outbox, 'dropped', dropped)
    o.trimmed = o.trimmed + dropped
  end
  if o.lost > 0 then redis.call('HINCRBY', outbox, 'lost', o.lost) end
  redis.call('HSET', outbox, 'epoch', o.epoch, 'life', o.life, 'seq', string.format('%d', o.seq),
    'trimmed', string.format('%d', o.trimmed))
end
`;
