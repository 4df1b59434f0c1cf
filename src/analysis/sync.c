#include "analysis/sync.h"

#include <string.h>

enum { MAX_ROUNDS = 64, OUTSIDE = 63 /* holder bit: somebody outside has a reference */ };

#define ALL    UINT64_MAX
#define BIT(i) ((uint64_t)1 << (i))

/* What is ordered after a lane's last use. */
typedef struct {
  bool used;
  uint64_t sure, kind, some; /* must; if unknowns are kind; on some path */
} cover;

typedef struct {
  bool reached, live, unseen;
  cover lanes[SA_SYNC_LANES];
  uint64_t recorded, maybe_recorded; /* streams */
  uint64_t holders, sure_holders;    /* registers by number in `regs` */
  uint64_t older, older_recorded;    /* the same for the block of an earlier turn of the loop */
} state;

typedef struct {
  sa_sync *sync;
  sa_val block;
  int creation; /* entity, -1 unknown */
  sa_sync_result *out;
  int8_t lane_entity[SA_SYNC_LANES];
  sa_reg regs[OUTSIDE];
  uint32_t nregs;
  bool final;
  uint32_t at_block;
  uint32_t birth;       /* owned: block of the CFG in which it is made */
  bool ready;           /* the question is sa_sync_ready()'s */
  uint32_t first_wait;  /* ready: first action that may order anything */
  sa_sync_after *after; /* the question is sa_sync_leave()'s */
  uint32_t record;      /* after: the action that counts as work */
} runner;

static int find_entity(const sa_sync *sync, sa_val value) {
  for (uint32_t i = 0; value != 0 && i < sync->n; i++)
    if (sync->entity[i] == value) return (int)i;
  return -1;
}

static int add_entity(sa_sync *sync, sa_val value, bool stream) {
  int at = find_entity(sync, value);
  if (value == 0 || sync->too_many) return -1;
  if (at < 0) {
    if (sync->n == SA_SYNC_ENTITIES) {
      sync->too_many = true;
      return -1;
    }
    at = (int)sync->n++;
    sync->entity[at] = value;
    const sa_value *v = sa_value_about(sync->world, value);
    if (v->kind == SA_VAL_DEFAULT_STREAM && strcmp(v->text, "legacy") == 0)
      sync->legacy |= BIT(at);
    else if (v->kind != SA_VAL_MADE && v->kind != SA_VAL_HOOK)
      sync->perhaps_legacy |= BIT(at);
    if (v->kind == SA_VAL_MADE && v->op == SA_OP_blocking_stream) sync->blocking |= BIT(at);
    for (uint32_t i = 0; i <= (uint32_t)at; i++) {
      if (sa_value_same(sync->world, value, sync->entity[i]) == SA_SAME_NO) continue;
      sync->alike[at] |= BIT(i);
      sync->alike[i] |= BIT(at);
    }
  }
  *(stream ? &sync->streams : &sync->events) |= BIT(at);
  return at;
}

/* Which operands of an action are streams ('s') and events ('e'). */
static const char *operands(sa_action_kind kind) {
  switch (kind) {
  case SA_ACT_ALLOC:
  case SA_ACT_USE:
  case SA_ACT_RECORD:
  case SA_ACT_ERASE:
  case SA_ACT_FREE:
  case SA_ACT_WAIT_HANDLE:
    return "-s";
  case SA_ACT_EVENT_RECORD:
    return "es";
  case SA_ACT_EVENT_WAIT:
    return "se";
  case SA_ACT_STREAM_WAIT:
  case SA_ACT_SWITCH:
    return "ss";
  case SA_ACT_SYNC_EVENT:
    return "e-";
  case SA_ACT_SYNC_STREAM:
    return "s-";
  default:
    return "--";
  }
}

static void set_apart(sa_sync *sync, int a, int b) {
  if (a < 0 || b < 0 || a == b) return;
  sync->alike[a] &= ~BIT(b);
  sync->alike[b] &= ~BIT(a);
}

/* Code that waits or switches from one stream to another means two streams. */
static void part_streams(sa_sync *sync) {
  const sa_action_array *list = &sync->actions->list;
  uint64_t marked[SA_SYNC_ENTITIES] = {0}; /* per event: streams it was recorded on */
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    if (action->kind == SA_ACT_STREAM_WAIT || action->kind == SA_ACT_SWITCH)
      set_apart(sync, sync->a[i], sync->b[i]);
    if (action->kind == SA_ACT_EVENT_RECORD && sync->a[i] >= 0 && sync->b[i] >= 0)
      marked[sync->a[i]] |= BIT(sync->b[i]);
  }
  for (uint32_t i = 0; i < list->n; i++) {
    if (list->at[i].kind != SA_ACT_EVENT_WAIT || sync->b[i] < 0) continue;
    uint64_t from = marked[sync->b[i]];
    if (from != 0 && (from & (from - 1)) == 0) set_apart(sync, sync->a[i], __builtin_ctzll(from));
  }
}

sa_sync *sa_sync_prepare(sa_world *world, const sa_fn *fn, const sa_actions *actions) {
  sa_sync *sync = sa_alloc(world->arena, sizeof *sync);
  sync->world = world;
  sync->fn = fn;
  sync->actions = actions;
  sync->a = sa_alloc(world->arena, actions->list.n + 1);
  sync->b = sa_alloc(world->arena, actions->list.n + 1);
  add_entity(sync, fn->entry, true);
  for (uint32_t i = 0; i < actions->list.n; i++) {
    const sa_action *action = &actions->list.at[i];
    const char *kinds = operands(action->kind);
    sync->a[i] = kinds[0] == '-' ? -1 : (int8_t)add_entity(sync, action->a, kinds[0] == 's');
    sync->b[i] = kinds[1] == '-' ? -1 : (int8_t)add_entity(sync, action->b, kinds[1] == 's');
  }
  if (!sync->too_many) part_streams(sync);
  return sync;
}

static void forget_relations(sa_sync *sync, sa_val block) {
  uint32_t n = sync->world->values.n;
  if (sync->relation_size < n) {
    sync->relation = sa_alloc(sync->world->arena, n);
    sync->relation_size = n;
  }
  memset(sync->relation, 0, sync->relation_size);
  sync->relation_block = block;
}

sa_same sa_sync_touches(sa_sync *sync, sa_val used, sa_val block) {
  if (sync->relation_block != block) forget_relations(sync, block);
  if (used >= sync->relation_size) return sa_value_covers(sync->world, used, block);
  if (sync->relation[used] == 0)
    sync->relation[used] = (uint8_t)(1 + sa_value_covers(sync->world, used, block));
  return (sa_same)(sync->relation[used] - 1);
}

sa_same sa_sync_same(const sa_sync *sync, sa_val a, sa_val b) {
  int i = find_entity(sync, a), j = find_entity(sync, b);
  if (i < 0 || j < 0) return sa_value_same(sync->world, a, b);
  if (i == j) return SA_SAME_YES;
  return (sync->alike[i] & BIT(j)) != 0 ? SA_SAME_MAYBE : SA_SAME_NO;
}

static uint64_t alike(const runner *r, int entity) {
  return entity < 0 ? ALL : r->sync->alike[entity];
}

static uint64_t one(int entity) {
  return entity < 0 ? 0 : BIT(entity);
}

/* Later work on the legacy stream waits for blocking streams by itself. */
static void close_over(const runner *r, cover *c) {
  const sa_sync *sync = r->sync;
  if (c->sure & sync->blocking) c->sure |= sync->legacy;
  if (c->kind & sync->blocking) c->kind |= sync->legacy | sync->perhaps_legacy;
  if (c->some & sync->blocking) c->some |= sync->legacy | sync->perhaps_legacy;
}

/* Work on the legacy stream holds back later work on blocking streams. */
static void hold_back(const runner *r, cover *c, int stream) {
  if ((r->sync->legacy & one(stream)) == 0) return;
  c->sure |= r->sync->blocking;
  c->kind |= r->sync->blocking;
  c->some |= r->sync->blocking;
}

static void add_after(const runner *r, cover *c, int stream, bool sure) {
  if (sure) c->sure |= one(stream);
  c->kind |= alike(r, stream) & r->sync->streams;
  c->some |= alike(r, stream) & r->sync->streams;
  close_over(r, c);
}

/* `stream` waits for what stands behind `from` (a stream or an event). */
static void wait_for(const runner *r, state *s, int stream, int from, bool maybe) {
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    cover *c = &s->lanes[i];
    if (!c->used || (c->some & alike(r, from)) == 0) continue;
    bool sure = !maybe && (c->sure & one(from)) != 0;
    bool kind = (c->kind & alike(r, from)) != 0;
    uint64_t before = c->kind;
    add_after(r, c, stream, sure);
    if (!kind) c->kind = before;
  }
}

static void record_event(const runner *r, state *s, int event, int stream, bool maybe) {
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    cover *c = &s->lanes[i];
    if (!c->used) continue;
    if ((c->sure & one(stream)) == 0)
      c->sure &= ~(alike(r, event) & r->sync->events);
    else if (!maybe)
      c->sure |= one(event);
    uint64_t near = alike(r, stream) & r->sync->streams;
    if (c->kind & near)
      c->kind |= one(event);
    else if (!maybe)
      c->kind &= ~one(event);
    if (c->some & near)
      c->some |= one(event);
    else if (!maybe)
      c->some &= ~one(event);
  }
}

static void sync_host(const runner *r, state *s, int from, bool maybe) {
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    cover *c = &s->lanes[i];
    if (!maybe && (c->sure & one(from)) != 0) c->sure = ALL;
    if (c->kind & alike(r, from)) c->kind = ALL;
    if (c->some & alike(r, from)) c->some = ALL;
  }
}

static void be_kind(const runner *r, state *s) {
  for (uint32_t i = 0; i < r->out->lanes.n; i++) s->lanes[i].kind = s->lanes[i].some = ALL;
}

static void use(const runner *r, state *s, const sa_action *action, int stream) {
  sa_same touches = sa_sync_touches(r->sync, action->a, r->block);
  bool sure = touches == SA_SAME_YES && !action->maybe;
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    cover *c = &s->lanes[i];
    /* Work on the legacy stream holds back later work on blocking streams. */
    if (c->used && (r->sync->legacy & one(stream) & c->sure)) c->sure |= r->sync->blocking;
    if (c->used && (r->sync->legacy & one(stream) & c->kind)) c->kind |= r->sync->blocking;
    if (c->used && (r->sync->legacy & one(stream) & c->some)) c->some |= r->sync->blocking;
    if (touches == SA_SAME_NO || r->lane_entity[i] != stream) continue;
    if (r->ready && !action->written) continue;
    bool fresh = !c->used;
    c->used = true;
    c->sure = one(stream);
    /* A stream that may be the creation stream may need no order at all. */
    if (sure || fresh) c->kind = c->some = sure ? alike(r, stream) & r->sync->streams : ALL;
    close_over(r, c);
    hold_back(r, c, stream);
  }
  if (touches != SA_SAME_NO && action->unseen) s->unseen = true;
}

static sa_sync_end judge(const runner *r, const state *s, uint32_t lane, int creation) {
  const cover *c = &s->lanes[lane];
  sa_sync_end end = {.lane = lane, .block = r->at_block, .action = SA_NO_INDEX, .how = ""};
  uint64_t want = one(creation);
  bool unknown_creation = creation < 0;
  if (c->sure == ALL || (c->sure & want) != 0)
    end.order = SA_ORDER_YES;
  else if (unknown_creation || (c->kind & alike(r, creation)) != 0)
    end.order = SA_ORDER_UNKNOWN;
  end.exact = end.order == SA_ORDER_NO && (c->some & alike(r, creation)) == 0 && !s->unseen;
  /* The allocator's event marks the recorded stream where it stands at the release: it covers what
   * that stream comes after, not only its own work. */
  uint64_t own = one(r->lane_entity[lane]), near = alike(r, r->lane_entity[lane]);
  end.recorded = (s->recorded & (own | c->sure)) != 0;
  end.maybe_recorded = (s->maybe_recorded & (near | c->some)) != 0;
  return end;
}

static void note_end(runner *r, const state *s, uint32_t action, const char *how, bool definite,
                     int creation) {
  if (!r->final || r->ready) return;
  if (action != SA_NO_INDEX) sa_push(r->sync->world->arena, &r->out->releases, action);
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    if (!s->lanes[i].used) continue;
    sa_sync_end end = judge(r, s, i, creation);
    end.action = action;
    end.how = how;
    end.definite = definite;
    sa_push(r->sync->world->arena, &r->out->ends, end);
  }
}

/* The bit of a register that holds the block on some path; 0 when it never did. */
static uint64_t known_holder(const runner *r, sa_reg reg) {
  for (uint32_t i = 0; i < r->nregs; i++)
    if (r->regs[i] == reg) return BIT(i);
  return 0;
}

static uint64_t holder_bit(runner *r, sa_reg reg) {
  if (known_holder(r, reg) != 0) return known_holder(r, reg);
  if (r->nregs == OUTSIDE) return BIT(OUTSIDE);
  r->regs[r->nregs] = reg;
  return BIT(r->nregs++);
}

/* A handle of something that the block may be, or is an element of, goes before the order is there.
 */
static void note_doubt(runner *r, const state *s, uint32_t index, sa_same touches) {
  const sa_action *action = &r->sync->actions->list.at[index];
  bool holds =
      sa_value_about(r->sync->world, r->block)->kind == SA_VAL_ELEM && action->a != r->block;
  if (!r->final || r->ready || touches == SA_SAME_NO) return;
  if (touches == SA_SAME_YES && !holds) return;
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    if (!s->lanes[i].used || judge(r, s, i, r->creation).order == SA_ORDER_YES) continue;
    sa_push(r->sync->world->arena, &r->out->doubtful, index);
    return;
  }
}

/* The register lets go of the block that an earlier turn made, while this turn's lives on. */
static void let_older_go(runner *r, state *s, uint32_t index, uint64_t bit, bool sure) {
  if ((s->older & bit) == 0) return;
  s->older &= ~bit;
  if (s->older != 0) return;
  state then = *s;
  then.recorded = s->older_recorded;
  note_end(r, &then, index, "reassign", sure && (s->sure_holders & bit) != 0, r->creation);
}

static void let_go(runner *r, state *s, uint32_t index, const char *how) {
  const sa_action *action = &r->sync->actions->list.at[index];
  uint64_t bit = known_holder(r, action->reg);
  if (!s->live) return;
  sa_same touches = sa_sync_touches(r->sync, action->a, r->block);
  if ((s->holders & bit) == 0 && touches == SA_SAME_NO) return; /* about another block */
  if (strcmp(how, "moved") != 0) note_doubt(r, s, index, touches);
  bool at_once = strcmp(how, "resize") == 0 || strcmp(how, "free") == 0;
  bool named = at_once || strcmp(how, "reset") == 0 || strcmp(how, "clear") == 0;
  if ((at_once || (s->holders & bit) == 0) && named) {
    /* The storage itself goes, or a field that may not be the last to hold it. */
    if (touches == SA_SAME_YES && action->maybe) touches = SA_SAME_MAYBE;
    if (touches == SA_SAME_YES)
      note_end(r, s, index, how, at_once, r->creation);
    else if (touches == SA_SAME_MAYBE && strcmp(how, "free") == 0)
      note_end(r, s, index, how, false, r->creation); /* this block, or another one */
    if (touches == SA_SAME_YES) s->live = !at_once;
    return;
  }
  if ((s->holders & bit) == 0) return;
  if (s->holders != bit) let_older_go(r, s, index, bit, strcmp(how, "moved") != 0);
  s->holders &= ~bit;
  s->sure_holders &= ~bit;
  if (strcmp(how, "moved") == 0) {
    if (s->holders == 0) s->holders = BIT(OUTSIDE);
    return;
  }
  if (s->holders == 0) {
    note_end(r, s, index, how, true, r->creation);
    s->live = false;
  } else if (s->sure_holders == 0 && (s->holders & BIT(OUTSIDE)) == 0) {
    note_end(r, s, index, how, false, r->creation);
  }
}

static void hold(state *s, uint64_t bit, sa_same touches) {
  s->holders |= bit;
  if (touches == SA_SAME_YES) s->sure_holders |= bit;
}

/* An address that is put into a variable of the function: neither keeps the block, nor gives it to
 * anybody. */
static bool stays_here(const runner *r, const sa_action *store) {
  const sa_world *world = r->sync->world;
  const sa_value *owner = sa_value_about(world, store->b);
  while (owner->kind == SA_VAL_FIELD || owner->kind == SA_VAL_ELEM)
    owner = sa_value_about(world, owner->args[0]);
  bool local = (owner->kind == SA_VAL_MADE || owner->kind == SA_VAL_VAR) &&
               owner->func == r->sync->fn->index && owner->op != SA_OP_call;
  return local && sa_value_about(world, r->block)->type.kind == SA_TYPE_MEMORY;
}

static void change_handles(runner *r, state *s, uint32_t index) {
  const sa_action *action = &r->sync->actions->list.at[index];
  if (action->kind == SA_ACT_DROP) {
    let_go(r, s, index, action->text);
    return;
  }
  sa_same touches = sa_sync_touches(r->sync, action->a, r->block);
  if (action->kind == SA_ACT_ASSIGN) {
    if (touches != SA_SAME_NO) {
      let_older_go(r, s, index, known_holder(r, action->reg), touches == SA_SAME_YES);
      hold(s, holder_bit(r, action->reg), touches);
    } else if (s->holders & known_holder(r, action->reg)) {
      let_go(r, s, index, "reassign");
    }
    return;
  }
  /* While a generator stands still its caller may let go of what it gave. */
  if (action->kind == SA_ACT_ESCAPE && strcmp(action->text, "yield") == 0 && s->live &&
      r->birth == SA_NO_INDEX && (s->holders & BIT(OUTSIDE)) != 0)
    note_end(r, s, index, "caller", false, r->creation);
  if (touches == SA_SAME_NO) return;
  if (action->kind == SA_ACT_ESCAPE && action->unseen) s->unseen = true;
  if (action->kind == SA_ACT_STORE && stays_here(r, action)) return;
  hold(s,
       action->kind == SA_ACT_STORE && action->reg != 0 ? holder_bit(r, action->reg) : BIT(OUTSIDE),
       touches);
}

/* Ready: the last owner's work on the creation stream is before the first use, like a write. */
static void begin_writes(runner *r, state *s, uint32_t index) {
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    if (r->lane_entity[i] != r->creation || r->creation < 0) continue;
    bool known = index < r->first_wait;
    uint64_t own = alike(r, r->creation) & r->sync->streams;
    s->lanes[i] = (cover){.used = true,
                          .sure = one(r->creation),
                          .kind = known ? own : ALL,
                          .some = known ? own : ALL};
    hold_back(r, &s->lanes[i], r->creation);
  }
}

static void begin_life(runner *r, state *s, uint32_t index) {
  const sa_action *action = &r->sync->actions->list.at[index];
  if (action->a != r->block) return;
  /* An older turn of a loop may still be alive: then its uses stay in the books. What was written
   * to an older block says nothing about the new one. */
  if (!s->live || r->ready) {
    memset(s->lanes, 0, sizeof s->lanes);
    s->maybe_recorded = 0;
    s->holders = s->sure_holders = s->older = 0;
  } else {
    s->older = s->holders;
    s->older_recorded = s->recorded;
  }
  s->recorded = 0; /* what was recorded is the older one */
  s->live = true;
  if (r->ready) begin_writes(r, s, index);
}

/* Ready: how each writer stands to the stream that uses the block now. */
static void note_use(runner *r, const state *s, uint32_t index, int stream) {
  const sa_action *action = &r->sync->actions->list.at[index];
  if (!r->final || action->unseen || stream < 0) return;
  if (sa_sync_touches(r->sync, action->a, r->block) != SA_SAME_YES) return;
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    if (!s->lanes[i].used || r->lane_entity[i] == stream) continue;
    sa_sync_end end = judge(r, s, i, stream);
    end.action = index;
    sa_push(r->sync->world->arena, &r->out->ends, end);
  }
}

static void note_record(runner *r, state *s, const sa_action *action, int stream) {
  sa_same touches = sa_sync_touches(r->sync, action->a, r->block);
  if (touches == SA_SAME_NO) return;
  if (action->kind == SA_ACT_ERASE) {
    s->recorded &= ~(alike(r, stream));
    return;
  }
  s->maybe_recorded |= alike(r, stream) & r->sync->streams;
  if (touches == SA_SAME_YES && !action->maybe) s->recorded |= one(stream);
}

/* Sets `after` to what every end so far agrees on. */
static void leave(runner *r, const state *s) {
  sa_sync_after *after = r->after;
  if (after->nlanes == 0) memset(after->lanes, 0xff, sizeof after->lanes);
  after->nlanes = r->out->lanes.n;
  for (uint32_t i = 0; i < r->out->lanes.n; i++)
    if (s->lanes[i].used) after->lanes[i] &= s->lanes[i].sure;
}

static void step(runner *r, state *s, uint32_t index) {
  const sa_action *action = &r->sync->actions->list.at[index];
  int a = r->sync->a[index], b = r->sync->b[index];
  if (r->after != NULL && index == r->record) use(r, s, action, b);
  switch (action->kind) {
  case SA_ACT_ALLOC:
    begin_life(r, s, index);
    break;
  case SA_ACT_USE:
    if (r->ready) note_use(r, s, index, b);
    use(r, s, action, b);
    break;
  case SA_ACT_RECORD:
  case SA_ACT_ERASE:
    note_record(r, s, action, b);
    break;
  case SA_ACT_EVENT_RECORD:
    record_event(r, s, a, b, action->maybe);
    break;
  case SA_ACT_EVENT_WAIT:
  case SA_ACT_STREAM_WAIT:
    wait_for(r, s, a, b, action->maybe);
    break;
  case SA_ACT_SYNC_EVENT:
  case SA_ACT_SYNC_STREAM:
    sync_host(r, s, a, action->maybe);
    break;
  case SA_ACT_SYNC_DEVICE:
    for (uint32_t i = 0; i < r->out->lanes.n; i++)
      if (!action->maybe) s->lanes[i].sure = ALL;
    be_kind(r, s);
    break;
  case SA_ACT_WAIT_HANDLE:
  case SA_ACT_OPAQUE:
    be_kind(r, s);
    break;
  case SA_ACT_FREE:
    if (r->after != NULL || !s->live) break;
    note_doubt(r, s, index, sa_sync_touches(r->sync, action->a, r->block));
    if (sa_sync_touches(r->sync, action->a, r->block) != SA_SAME_YES) break;
    note_end(r, s, index, "free", true, b);
    s->live = false;
    break;
  case SA_ACT_ASSIGN:
  case SA_ACT_DROP:
  case SA_ACT_STORE:
  case SA_ACT_ESCAPE:
  case SA_ACT_RETURN:
    if (r->after == NULL) change_handles(r, s, index);
    break;
  default:
    break;
  }
}

static void join(state *into, const state *from) {
  if (!from->reached || !from->live) return; /* a dead block has nothing to tell */
  if (!into->reached) {
    *into = *from;
    return;
  }
  for (uint32_t i = 0; i < SA_SYNC_LANES; i++) {
    cover *a = &into->lanes[i];
    const cover *b = &from->lanes[i];
    if (!b->used) continue;
    if (!a->used) {
      *a = *b;
      continue;
    }
    a->sure &= b->sure;
    a->kind &= b->kind;
    a->some |= b->some;
  }
  into->recorded = !into->live   ? from->recorded
                   : !from->live ? into->recorded
                                 : into->recorded & from->recorded;
  into->older_recorded = into->older == 0   ? from->older_recorded
                         : from->older == 0 ? into->older_recorded
                                            : into->older_recorded & from->older_recorded;
  into->older |= from->older;
  into->maybe_recorded |= from->maybe_recorded;
  into->sure_holders = !into->live   ? from->sure_holders
                       : !from->live ? into->sure_holders
                                     : into->sure_holders & from->sure_holders;
  into->holders |= from->holders;
  into->live |= from->live;
  into->unseen |= from->unseen;
}

static bool same_state(const state *a, const state *b) {
  if (a->reached != b->reached || a->live != b->live || a->unseen != b->unseen ||
      a->recorded != b->recorded || a->maybe_recorded != b->maybe_recorded ||
      a->holders != b->holders || a->sure_holders != b->sure_holders || a->older != b->older ||
      a->older_recorded != b->older_recorded)
    return false;
  for (uint32_t i = 0; i < SA_SYNC_LANES; i++) {
    const cover *x = &a->lanes[i], *y = &b->lanes[i];
    if (x->used != y->used || x->sure != y->sure || x->kind != y->kind || x->some != y->some)
      return false;
  }
  return true;
}

static bool run_block(runner *r, state *outs, const state *entry, uint32_t block) {
  const sa_cfg *cfg = r->sync->fn->cfg;
  const sa_actions *actions = r->sync->actions;
  bool alive = block == r->birth || (block == 0 && entry->live);
  for (uint32_t i = 0; i < cfg->preds[block].n; i++) alive |= outs[cfg->preds[block].at[i]].live;
  if (!alive && !outs[block].live) return false;
  state s = {0};
  if (block == 0) s = *entry;
  for (uint32_t i = 0; i < cfg->preds[block].n; i++) join(&s, &outs[cfg->preds[block].at[i]]);
  s.reached = true;
  r->at_block = block;
  for (uint32_t i = actions->first[block]; i < actions->end[block]; i++) step(r, &s, i);
  if (r->final) {
    r->out->unseen |= s.unseen;
    r->out->escapes |= (s.holders & BIT(OUTSIDE)) != 0;
    if (cfg->func->blocks.at[block].term == SA_TERM_RETURN && s.live)
      note_end(r, &s, SA_NO_INDEX, "", false, r->creation);
    if (cfg->func->blocks.at[block].succ.n == 0 && s.live && r->after != NULL) leave(r, &s);
  }
  bool changed = !same_state(&s, &outs[block]);
  outs[block] = s;
  return changed;
}

/* The streams that use the block. Uses on the creation stream need no order. */
static bool find_lanes(runner *r, sa_val creation) {
  const sa_action_array *list = &r->sync->actions->list;
  if (r->ready && creation != 0) {
    r->lane_entity[0] = (int8_t)r->creation;
    sa_push(r->sync->world->arena, &r->out->lanes,
            (sa_sync_lane){creation, SA_NO_INDEX, SA_NO_INDEX, true});
  }
  for (uint32_t i = 0; i < list->n; i++) {
    const sa_action *action = &list->at[i];
    bool spoken_for = r->after != NULL && i == r->record;
    if (action->kind != SA_ACT_USE && !spoken_for) continue;
    sa_same touches = sa_sync_touches(r->sync, action->a, r->block);
    if (touches == SA_SAME_NO) continue;
    if (r->ready ? !action->written : creation != 0 && action->b == creation) continue;
    uint32_t lane = 0;
    while (lane < r->out->lanes.n && r->out->lanes.at[lane].stream != action->b) lane++;
    if (lane == SA_SYNC_LANES) return false;
    if (lane == r->out->lanes.n) {
      r->lane_entity[lane] = r->sync->b[i];
      sa_push(r->sync->world->arena, &r->out->lanes, (sa_sync_lane){action->b, i, i, false});
    }
    if (r->out->lanes.at[lane].first_use == SA_NO_INDEX) r->out->lanes.at[lane].first_use = i;
    r->out->lanes.at[lane].last_use = i;
    r->out->lanes.at[lane].certain |= touches == SA_SAME_YES && !action->unseen;
  }
  return true;
}

static sa_sync_result *run(runner *r, sa_val creation, bool owned) {
  sa_sync *sync = r->sync;
  sa_sync_result *out = r->out = sa_alloc(sync->world->arena, sizeof *out);
  r->creation = add_entity(sync, creation, true);
  if (sync->too_many || !find_lanes(r, creation)) {
    out->unknown = "the function uses more streams and events than are kept apart";
    return out;
  }
  const sa_cfg *cfg = sync->fn->cfg;
  const sa_value *v = sa_value_about(sync->world, r->block);
  owned = owned && v->kind == SA_VAL_MADE && v->func == sync->fn->index;
  r->birth = owned ? sa_cfg_block_of(cfg, v->at) : SA_NO_INDEX;
  state entry = {.reached = true, .live = !owned};
  bool variable = v->kind == SA_VAL_PHI && sa_value_is_made_in(sync->world, r->block, sync->fn);
  if (!owned && !variable) entry.holders = entry.sure_holders = BIT(OUTSIDE);
  sa_arena *scratch = sa_arena_new();
  state *outs = sa_alloc(scratch, (cfg->n + 1) * sizeof *outs);
  bool changed = true;
  for (uint32_t round = 0; changed && round < MAX_ROUNDS; round++) {
    changed = false;
    for (uint32_t i = 0; i < cfg->rpo.n; i++) changed |= run_block(r, outs, &entry, cfg->rpo.at[i]);
  }
  if (changed) out->unknown = "the function's loops are too deep";
  r->final = true;
  for (uint32_t i = 0; !changed && i < cfg->rpo.n; i++) run_block(r, outs, &entry, cfg->rpo.at[i]);
  sa_arena_free(scratch);
  return out;
}

sa_sync_result *sa_sync_run(sa_sync *sync, sa_val block, sa_val creation, bool owned) {
  runner r = {.sync = sync, .block = block};
  return run(&r, creation, owned);
}

sa_sync_after sa_sync_leave(sa_sync *sync, sa_val block, sa_val creation, uint32_t record) {
  sa_sync_after after = {0};
  runner r = {.sync = sync, .block = block, .after = &after, .record = record};
  after.unknown = run(&r, creation, true)->unknown;
  return after;
}

static bool may_wait(sa_action_kind kind) {
  return kind == SA_ACT_OPAQUE || sa_action_waits(kind);
}

sa_sync_result *sa_sync_ready(sa_sync *sync, sa_val block, sa_val creation) {
  runner r = {.sync = sync, .block = block, .ready = true};
  while (r.first_wait < sync->actions->list.n &&
         !may_wait(sync->actions->list.at[r.first_wait].kind))
    r.first_wait++;
  return run(&r, creation, creation != 0);
}
