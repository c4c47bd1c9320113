/* jobscripts.c - see jobscripts.h. */
#include "jobscripts.h"

/* clang-format off */

/* The stream and its group, which may be gone if Redis keeps nothing. */
#define PREPARE                                                                                                      \
    "if redis.call('EXISTS', 'smd:jobs') == 0 then"                                                                  \
    "  redis.call('XGROUP', 'CREATE', 'smd:jobs', 'smd', '0', 'MKSTREAM') "                                          \
    "end "

/* fields(ENTRY): what it has, by name; nil if there is no such entry. */
#define FIELDS                                                                                                       \
    "local function fields(stream, entry)"                                                                           \
    "  local e = redis.call('XRANGE', stream, entry, entry)[1]"                                                      \
    "  if not e then return nil end"                                                                                 \
    "  local f = {}"                                                                                                 \
    "  for i = 1, #e[2], 2 do f[e[2][i]] = e[2][i + 1] end"                                                          \
    "  return f "                                                                                                    \
    "end "

/* leave(ENTRY, CLIENT): out of the queue. */
#define LEAVE                                                                                                        \
    "local function leave(entry, client)"                                                                            \
    "  redis.call('XACK', 'smd:jobs', 'smd', entry)"                                                                 \
    "  if redis.call('XDEL', 'smd:jobs', entry) == 1"                                                                \
    "    and redis.call('HINCRBY', 'smd:jobs:clients', client, -1) <= 0 then"                                        \
    "    redis.call('HDEL', 'smd:jobs:clients', client)"                                                             \
    "  end "                                                                                                         \
    "end "

/* holder(ENTRY): the consumer that has it, and how often it was delivered. */
#define HOLDER                                                                                                       \
    "local function holder(entry)"                                                                                   \
    "  local p = redis.call('XPENDING', 'smd:jobs', 'smd', entry, entry, 1)[1]"                                      \
    "  if p then return p[2], p[4] end "                                                                             \
    "end "

/* taken(ENTRY, DELIVERIES, FIELDS): what the consumer gets. */
#define TAKEN                                                                                                        \
    "local function taken(entry, deliveries, f)"                                                                     \
    "  local now = redis.call('TIME')"                                                                               \
    "  local ms = now[1] * 1000 + math.floor(now[2] / 1000) - string.match(entry, '%d+')"                            \
    "  return string.format('%s %d %.0f %s %s\\n', entry, deliveries, math.max(0, ms), f.id, f.client) .. f.job "      \
    "end "

const char jobscript_add[] = PREPARE
    "if redis.call('XLEN', 'smd:jobs') >= tonumber(ARGV[4]) then return 'full' end "
    "local own = tonumber(redis.call('HGET', 'smd:jobs:clients', ARGV[3]) or 0) "
    "if own >= tonumber(ARGV[5]) then return 'many' end "
    "local entry = redis.call('XADD', 'smd:jobs', '*', 'id', ARGV[1], 'client', ARGV[3], 'job', ARGV[2]) "
    "redis.call('HINCRBY', 'smd:jobs:clients', ARGV[3], 1) "
    "redis.call('SET', 'smd:job:' .. ARGV[1], 'w' .. entry) "
    "return 'added'";

const char jobscript_take[] = PREPARE FIELDS LEAVE TAKEN
    "local idle = redis.call('XPENDING', 'smd:jobs', 'smd', 'IDLE', ARGV[2], '-', '+', 1)[1] "
    "if idle then"
    "  local entry, deliveries, f = idle[1], idle[4], fields('smd:jobs', idle[1])"
    "  if not f then"
    "    redis.call('XACK', 'smd:jobs', 'smd', entry)"
    "    return false"
    "  end"
    "  if deliveries < tonumber(ARGV[3]) then"
    "    redis.call('XCLAIM', 'smd:jobs', 'smd', ARGV[1], 0, entry)"
    "    return taken(entry, deliveries + 1, f)"
    "  end"
    "  redis.call('SET', 'smd:dead:' .. f.id, f.job)"
    "  local dead = redis.call('XADD', 'smd:jobs:dead', '*',"
    "    'id', f.id, 'client', f.client, 'deliveries', deliveries, 'bytes', #f.job)"
    "  redis.call('SET', 'smd:job:' .. f.id, 'x' .. dead)"
    "  leave(entry, f.client)"
    "  if redis.call('XLEN', 'smd:jobs:dead') > 1000 then"
    "    local first = redis.call('XRANGE', 'smd:jobs:dead', '-', '+', 'COUNT', 1)[1][1]"
    "    local id = fields('smd:jobs:dead', first).id"
    "    redis.call('DEL', 'smd:job:' .. id, 'smd:dead:' .. id)"
    "    redis.call('XDEL', 'smd:jobs:dead', first)"
    "  end"
    "  return 'dead ' .. f.id .. ' ' .. deliveries "
    "end "
    "local new = redis.call('XREADGROUP', 'GROUP', 'smd', ARGV[1], 'COUNT', 1, 'STREAMS', 'smd:jobs', '>') "
    "if not new then return false end "
    "local entry = new[1][2][1][1] "
    "return taken(entry, 1, fields('smd:jobs', entry))";

const char jobscript_renew[] = PREPARE HOLDER
    "local lost = '' "
    "for i = 2, #ARGV do"
    "  if holder(ARGV[i]) == ARGV[1] then"
    "    redis.call('XCLAIM', 'smd:jobs', 'smd', ARGV[1], 0, ARGV[i], 'JUSTID')"
    "  else"
    "    lost = lost .. ARGV[i] .. ' '"
    "  end "
    "end "
    "return lost";

const char jobscript_end[] = PREPARE LEAVE
    "if redis.call('GET', 'smd:job:' .. ARGV[2]) ~= 'w' .. ARGV[1] then return 'gone' end "
    "redis.call('SET', 'smd:job:' .. ARGV[2], 'd' .. ARGV[4], 'EX', ARGV[5]) "
    "leave(ARGV[1], ARGV[3]) "
    "return 'ended'";

const char jobscript_give_back[] = PREPARE HOLDER
    "local by, deliveries = holder(ARGV[2]) "
    "if by ~= ARGV[1] then return 'gone' end "
    "redis.call('XCLAIM', 'smd:jobs', 'smd', ARGV[1], 0, ARGV[2],"
    "  'IDLE', ARGV[3], 'RETRYCOUNT', deliveries - 1 + ARGV[4], 'JUSTID') "
    "return 'back'";

const char jobscript_remove[] = FIELDS LEAVE
    "local state = redis.call('GET', 'smd:job:' .. ARGV[1]) "
    "if not state then return false end "
    "local place = string.sub(state, 2) "
    "local kind = string.sub(state, 1, 1) "
    "if kind == 'w' then"
    "  local f = fields('smd:jobs', place)"
    "  if f then leave(place, f.client) end "
    "end "
    "if kind == 'x' then redis.call('XDEL', 'smd:jobs:dead', place) end "
    "redis.call('DEL', 'smd:job:' .. ARGV[1], 'smd:dead:' .. ARGV[1]) "
    "return 'removed'";

const char jobscript_retry[] = PREPARE FIELDS
    "local state = redis.call('GET', 'smd:job:' .. ARGV[1]) "
    "if not state or string.sub(state, 1, 1) ~= 'x' then return false end "
    "local dead = string.sub(state, 2) "
    "local f = fields('smd:jobs:dead', dead) "
    "local job = redis.call('GET', 'smd:dead:' .. ARGV[1]) "
    "if not f or not job then return false end "
    "local entry = redis.call('XADD', 'smd:jobs', '*', 'id', f.id, 'client', f.client, 'job', job) "
    "redis.call('HINCRBY', 'smd:jobs:clients', f.client, 1) "
    "redis.call('SET', 'smd:job:' .. f.id, 'w' .. entry) "
    "redis.call('XDEL', 'smd:jobs:dead', dead) "
    "redis.call('DEL', 'smd:dead:' .. f.id) "
    "return 'again'";

const char jobscript_list[] = PREPARE
    "local running, all = redis.call('XPENDING', 'smd:jobs', 'smd')[1], redis.call('XLEN', 'smd:jobs') "
    "local out = math.max(0, all - running) .. ' ' .. running .. ' ' .. redis.call('XLEN', 'smd:jobs:dead') .. '\\n' "
    "for _, c in ipairs(redis.call('XINFO', 'CONSUMERS', 'smd:jobs', 'smd')) do"
    "  local f = {}"
    "  for i = 1, #c, 2 do f[c[i]] = c[i + 1] end"
    "  if f.pending == 0 and f.idle > 3600000 then"
    "    redis.call('XGROUP', 'DELCONSUMER', 'smd:jobs', 'smd', f.name)"
    "  end "
    "end "
    "if ARGV[1] ~= '1' then return out end "
    "for _, e in ipairs(redis.call('XREVRANGE', 'smd:jobs:dead', '+', '-', 'COUNT', 100)) do"
    "  local f = {}"
    "  for i = 1, #e[2], 2 do f[e[2][i]] = e[2][i + 1] end"
    "  out = out .. f.id .. ' ' .. f.deliveries .. ' ' .. f.bytes .. ' ' .. string.match(e[1], '%d+') .. '\\n' "
    "end "
    "return out";
/* clang-format on */

_Static_assert(JOBS_DEAD_MOST == 1000 && JOBS_LISTED == 100, "as the scripts have it");
