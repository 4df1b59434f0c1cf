#include "analysis/sync.h"
#include "analysis/member.h"
#include "analysis/store.h"

#include <string.h>

enum { MAX_ROUNDS = 64, OUTSIDE = 63 /* holder bit: somebody outside has a reference */ };

#define ALL    UINT64_MAX
#define BIT(i) ((uint64_t)1 << (i))

/* What is ordered after a lane's last use. */
typedef struct {
  bool used;
  uint64_t sure, kind, some; /* must; if unknowns are kind; on some path */
} cover;

/* What holds of the block that was made last, and of those that the same instruction made in
 * earlier turns of a loop and that may still be alive. */
enum { NEWEST, OLDER, AGES };

typedef struct {
  bool reached, live, unseen;
  cover lanes[AGES][SA_SYNC_LANES];
  uint64_t recorded[AGES], maybe_recorded[AGES]; /* streams; nothing older: recorded on all */
  uint64_t holders, sure_holders;                /* registers by number in `regs` */
  uint64_t older;                                /* those that hold what an earlier turn made */
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

/* Number `i` of all covers of a state: those of the newest block come first. */
static cover *cover_at(const runner *r, state *s, uint32_t i) {
  uint32_t n = r->out->lanes.n;
  return i < n ? &s->lanes[NEWEST][i] : &s->lanes[OLDER][i - n];
}

static void join_covers(cover *a, const cover *b) {
  if (b->used && !a->used) *a = *b;
  if (!b->used) return;
  a->sure &= b->sure;
  a->kind &= b->kind;
  a->some |= b->some;
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
  for (uint32_t i = 0; i < AGES * r->out->lanes.n; i++) {
    cover *c = cover_at(r, s, i);
    if (!c->used || (c->some & alike(r, from)) == 0) continue;
    bool sure = !maybe && (c->sure & one(from)) != 0;
    bool kind = (c->kind & alike(r, from)) != 0;
    uint64_t before = c->kind;
    add_after(r, c, stream, sure);
    if (!kind) c->kind = before;
  }
}

static void record_event(const runner *r, state *s, int event, int stream, bool maybe) {
  for (uint32_t i = 0; i < AGES * r->out->lanes.n; i++) {
    cover *c = cover_at(r, s, i);
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
  for (uint32_t i = 0; i < AGES * r->out->lanes.n; i++) {
    cover *c = cover_at(r, s, i);
    if (!maybe && (c->sure & one(from)) != 0) c->sure = ALL;
    if (c->kind & alike(r, from)) c->kind = ALL;
    if (c->some & alike(r, from)) c->some = ALL;
  }
}

static void be_kind(const runner *r, state *s) {
  for (uint32_t i = 0; i < AGES * r->out->lanes.n; i++)
    cover_at(r, s, i)->kind = cover_at(r, s, i)->some = ALL;
}

/* A loop brings older blocks back through other values: this one is what was made last. */
static bool is_newest(const runner *r, sa_val value) {
  return value == r->block && sa_value_about(r->sync->world, value)->kind == SA_VAL_MADE;
}

static void use(const runner *r, state *s, const sa_action *action, int stream) {
  sa_same touches = sa_sync_touches(r->sync, action->a, r->block);
  bool sure = touches == SA_SAME_YES && !action->maybe;
  bool newest = is_newest(r, action->a);
  for (uint32_t i = 0; i < AGES * r->out->lanes.n; i++) {
    cover *c = cover_at(r, s, i);
    /* Work on the legacy stream holds back later work on blocking streams. */
    if (c->used && (r->sync->legacy & one(stream) & c->sure)) c->sure |= r->sync->blocking;
    if (c->used && (r->sync->legacy & one(stream) & c->kind)) c->kind |= r->sync->blocking;
    if (c->used && (r->sync->legacy & one(stream) & c->some)) c->some |= r->sync->blocking;
    if (touches == SA_SAME_NO || r->lane_entity[i % r->out->lanes.n] != stream) continue;
    if (i >= r->out->lanes.n && (newest || !c->used)) continue;
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

/* What is said of one lane, or of several blocks together: bit per age. */
enum { NEWEST_ONLY = 1 << NEWEST, OLDER_ONLY = 1 << OLDER, ANY_AGE = NEWEST_ONLY | OLDER_ONLY };

static cover lane_at(const state *s, uint32_t lane, int ages) {
  cover c = {0};
  for (int age = 0; age < AGES; age++)
    if (ages >> age & 1) join_covers(&c, &s->lanes[age][lane]);
  return c;
}

static sa_sync_end judge(const runner *r, const state *s, uint32_t lane, int creation, int ages) {
  const cover both = lane_at(s, lane, ages), *c = &both;
  uint64_t recorded = ALL, maybe_recorded = 0;
  for (int age = 0; age < AGES; age++) {
    if ((ages >> age & 1) == 0) continue;
    recorded &= s->recorded[age];
    maybe_recorded |= s->maybe_recorded[age];
  }
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
  end.recorded = (recorded & (own | c->sure)) != 0;
  end.on_itself = (recorded & own) != 0;
  end.maybe_recorded = (maybe_recorded & (near | c->some)) != 0;
  return end;
}

static void note_ages(runner *r, const state *s, sa_sync_end what, int creation, int ages) {
  if (!r->final || r->ready) return;
  if (what.action != SA_NO_INDEX) sa_push(r->sync->world->arena, &r->out->releases, what.action);
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    if (!lane_at(s, i, ages).used) continue;
    sa_sync_end end = judge(r, s, i, creation, ages);
    end.action = what.action;
    end.how = what.how;
    end.definite = what.definite;
    sa_push(r->sync->world->arena, &r->out->ends, end);
  }
}

static void note_end(runner *r, const state *s, uint32_t action, const char *how, bool definite,
                     int creation) {
  const sa_action_array *list = &r->sync->actions->list;
  bool newest = action != SA_NO_INDEX && is_newest(r, list->at[action].a);
  note_ages(r, s, (sa_sync_end){.action = action, .how = how, .definite = definite}, creation,
            newest ? NEWEST_ONLY : ANY_AGE);
}

/* Members are numbered behind the registers. */
static sa_reg member_number(const runner *r, uint32_t member) {
  return r->sync->fn->func->regs.n + member;
}

/* Whether the holder is a member of what the register has. */
static bool is_member_of(const runner *r, sa_reg holder, sa_reg reg) {
  uint32_t first = r->sync->fn->func->regs.n;
  return holder > first && r->sync->actions->members.at[holder - first - 1].owner == reg;
}

/* Holders that live on when the function ends. */
static uint64_t outside(const runner *r) {
  uint64_t found = BIT(OUTSIDE);
  for (uint32_t i = 0; i < r->nregs; i++)
    if (is_member_of(r, r->regs[i], 0)) found |= BIT(i);
  return found;
}

/* The bits of a register, and of members of it, that hold the block on some path; 0 when none ever
 * did. */
static uint64_t known_holder(const runner *r, sa_reg reg) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < r->nregs; i++)
    if (r->regs[i] == reg || is_member_of(r, r->regs[i], reg)) found |= BIT(i);
  return found;
}

static uint64_t holder_bit(runner *r, sa_reg reg) {
  for (uint32_t i = 0; i < r->nregs; i++)
    if (r->regs[i] == reg) return BIT(i);
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
    bool used = lane_at(s, i, ANY_AGE).used;
    if (!used || judge(r, s, i, r->creation, ANY_AGE).order == SA_ORDER_YES) continue;
    sa_push(r->sync->world->arena, &r->out->doubtful, index);
    return;
  }
}

static void forget_older(state *s) {
  memset(s->lanes[OLDER], 0, sizeof s->lanes[OLDER]);
  s->recorded[OLDER] = ALL;
  s->maybe_recorded[OLDER] = s->older = 0;
}

/* The register lets go of the block that an earlier turn made, while this turn's lives on. */
static void let_older_go(runner *r, state *s, uint32_t index, uint64_t bit, bool sure) {
  if ((s->older & bit) == 0) return;
  s->older &= ~bit;
  if (s->older != 0) return;
  bool definite = sure && (s->sure_holders & bit) != 0;
  note_ages(r, s, (sa_sync_end){.action = index, .how = "reassign", .definite = definite},
            r->creation, OLDER_ONLY);
  forget_older(s);
}

/* The block is gone; what earlier turns made may live on. */
static void end_newest(const runner *r, state *s, sa_val freed) {
  bool older = false;
  for (uint32_t i = 0; i < r->out->lanes.n; i++) older |= s->lanes[OLDER][i].used;
  s->live = older && is_newest(r, freed);
  memset(s->lanes[NEWEST], 0, sizeof s->lanes[NEWEST]);
  s->recorded[NEWEST] = ALL;
  s->maybe_recorded[NEWEST] = 0;
}

static void hold(state *s, uint64_t bit, sa_same touches) {
  s->holders |= bit;
  if (touches == SA_SAME_YES) s->sure_holders |= bit;
}

/* What the action changes: a register, or a member of one. */
static sa_reg changed_by(const runner *r, const sa_action *action) {
  return action->member != 0 ? member_number(r, action->member) : action->reg;
}

static void let_go(runner *r, state *s, uint32_t index, const char *how) {
  const sa_action *action = &r->sync->actions->list.at[index];
  uint64_t bit = known_holder(r, changed_by(r, action));
  if (!s->live) return;
  sa_same touches = sa_sync_touches(r->sync, action->a, r->block);
  if ((s->holders & bit) == 0 && touches == SA_SAME_NO) return; /* about another block */
  if (strcmp(how, "moved") != 0) note_doubt(r, s, index, touches);
  bool at_once = strcmp(how, "resize") == 0 || strcmp(how, "free") == 0;
  bool named = at_once || strcmp(how, "reset") == 0 || strcmp(how, "clear") == 0;
  if ((at_once || (s->holders & bit) == 0) && named) {
    /* The storage itself goes, or a field that may not be the last to hold it. */
    if (sa_store_follows(r->sync, index, r->block)) return;
    if (touches == SA_SAME_YES && action->maybe) touches = SA_SAME_MAYBE;
    if (touches == SA_SAME_YES)
      note_end(r, s, index, how, at_once, r->creation);
    else if (touches == SA_SAME_MAYBE && at_once)
      note_end(r, s, index, how, false, r->creation); /* this block, or another one */
    if (touches == SA_SAME_MAYBE && strcmp(how, "resize") == 0) hold(s, BIT(OUTSIDE), touches);
    if (touches == SA_SAME_YES && at_once) end_newest(r, s, action->a);
    return;
  }
  if ((s->holders & bit) == 0) return;
  if ((s->holders & ~bit) != 0) let_older_go(r, s, index, bit, strcmp(how, "moved") != 0);
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

/* Something else is put where the block may be, or some element is taken out. */
static void may_replace(runner *r, state *s, uint32_t index) {
  const sa_action *store = &r->sync->actions->list.at[index];
  if (store->op != SA_OP_append || store->via != SA_NO_INDEX) return;
  const sa_ir_inst *inst = sa_cfg_inst_at(r->sync->fn->cfg, store->point);
  if (inst->nargs < 3 && strcmp(store->text, "pop") != 0) return;
  uint64_t held = 0;
  for (uint32_t i = 0; i < r->nregs; i++)
    if (r->regs[i] == store->reg || (store->member == 0 && is_member_of(r, r->regs[i], store->reg)))
      held |= BIT(i);
  if ((s->holders & held) == 0) return;
  if (s->live) note_end(r, s, index, "reset", false, r->creation);
  s->sure_holders &= ~held;
  s->holders |= BIT(OUTSIDE);
}

/* A method that reads a member which holds the block has it without naming it: it may keep it, or
 * give it to this function. */
static void hand_on(runner *r, state *s, uint32_t index) {
  const sa_sync *sync = r->sync;
  uint32_t first = sync->fn->func->regs.n;
  for (uint32_t i = 0; i < r->nregs; i++)
    if ((s->holders & BIT(i)) != 0 && is_member_of(r, r->regs[i], 0) &&
        sa_member_is_read(sync->world, sync->fn, sync->actions, index, r->regs[i] - first))
      hold(s, BIT(OUTSIDE), SA_SAME_MAYBE);
}

static void change_handles(runner *r, state *s, uint32_t index) {
  const sa_action *action = &r->sync->actions->list.at[index];
  if (action->kind == SA_ACT_DROP) {
    let_go(r, s, index, action->text);
    return;
  }
  sa_same touches = sa_sync_touches(r->sync, action->a, r->block);
  bool changes = action->kind == SA_ACT_ASSIGN || action->kind == SA_ACT_STORE;
  if (changes && touches == SA_SAME_NO) hand_on(r, s, index);
  if (action->kind == SA_ACT_STORE && touches == SA_SAME_NO && action->reg != 0)
    may_replace(r, s, index);
  else if (action->kind == SA_ACT_STORE && touches == SA_SAME_NO && s->live &&
           sa_store_empties(r->sync, index, r->block))
    note_end(r, s, index, "reset", false, r->creation);
  if (action->kind == SA_ACT_ASSIGN || (action->member != 0 && !stays_here(r, action))) {
    sa_reg reg = changed_by(r, action);
    if (touches != SA_SAME_NO) {
      let_older_go(r, s, index, known_holder(r, reg), touches == SA_SAME_YES);
      hold(s, holder_bit(r, reg), touches);
    } else if (s->holders & known_holder(r, reg)) {
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
    s->lanes[NEWEST][i] = (cover){.used = true,
                                  .sure = one(r->creation),
                                  .kind = known ? own : ALL,
                                  .some = known ? own : ALL};
    hold_back(r, &s->lanes[NEWEST][i], r->creation);
  }
}

static void begin_life(runner *r, state *s, uint32_t index) {
  const sa_action *action = &r->sync->actions->list.at[index];
  if (action->a != r->block) return;
  /* What was written to an older block says nothing about the new one. */
  bool older = s->live && !r->ready;
  if (!older) {
    memset(s->lanes, 0, sizeof s->lanes);
    s->maybe_recorded[NEWEST] = s->holders = s->sure_holders = 0;
    forget_older(s);
  }
  s->older = s->holders;
  for (uint32_t i = 0; older && i < r->out->lanes.n; i++) {
    join_covers(&s->lanes[OLDER][i], &s->lanes[NEWEST][i]);
    s->lanes[NEWEST][i] = (cover){0};
  }
  if (older) s->recorded[OLDER] &= s->recorded[NEWEST];
  s->maybe_recorded[OLDER] |= s->maybe_recorded[NEWEST];
  s->recorded[NEWEST] = s->maybe_recorded[NEWEST] = 0; /* what was recorded is the older one */
  s->live = true;
  if (r->ready) begin_writes(r, s, index);
}

/* Ready: how each writer stands to the stream that uses the block now. */
static void note_use(runner *r, const state *s, uint32_t index, int stream) {
  const sa_action *action = &r->sync->actions->list.at[index];
  if (!r->final || action->unseen || stream < 0) return;
  if (sa_sync_touches(r->sync, action->a, r->block) != SA_SAME_YES) return;
  for (uint32_t i = 0; i < r->out->lanes.n; i++) {
    if (!s->lanes[NEWEST][i].used || r->lane_entity[i] == stream) continue;
    sa_sync_end end = judge(r, s, i, stream, NEWEST_ONLY);
    end.action = index;
    sa_push(r->sync->world->arena, &r->out->ends, end);
  }
}

static void note_record(runner *r, state *s, const sa_action *action, int stream) {
  sa_same touches = sa_sync_touches(r->sync, action->a, r->block);
  if (touches == SA_SAME_NO) return;
  if (action->kind == SA_ACT_ERASE) {
    s->recorded[NEWEST] &= ~(alike(r, stream));
    s->recorded[OLDER] &= ~(alike(r, stream));
    return;
  }
  s->maybe_recorded[NEWEST] |= alike(r, stream) & r->sync->streams;
  if (!is_newest(r, action->a)) s->maybe_recorded[OLDER] |= alike(r, stream) & r->sync->streams;
  if (touches == SA_SAME_YES && !action->maybe) s->recorded[NEWEST] |= one(stream);
}

/* Sets `after` to what every end so far agrees on. */
static void leave(runner *r, const state *s) {
  sa_sync_after *after = r->after;
  if (after->nlanes == 0) memset(after->lanes, 0xff, sizeof after->lanes);
  after->nlanes = r->out->lanes.n;
  for (uint32_t i = 0; i < r->out->lanes.n; i++)
    if (lane_at(s, i, ANY_AGE).used) after->lanes[i] &= lane_at(s, i, ANY_AGE).sure;
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
    for (uint32_t i = 0; i < AGES * r->out->lanes.n && !action->maybe; i++)
      cover_at(r, s, i)->sure = ALL;
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
    end_newest(r, s, action->a);
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

static void join(const runner *r, state *into, state *from) {
  if (!from->reached || !from->live) return; /* a dead block has nothing to tell */
  if (!into->reached || !into->live) {
    *into = *from;
    return;
  }
  for (uint32_t i = 0; i < AGES * r->out->lanes.n; i++)
    join_covers(cover_at(r, into, i), cover_at(r, from, i));
  for (int age = 0; age < AGES; age++) {
    into->recorded[age] &= from->recorded[age];
    into->maybe_recorded[age] |= from->maybe_recorded[age];
  }
  into->sure_holders &= from->sure_holders;
  into->holders |= from->holders;
  into->older |= from->older;
  into->unseen |= from->unseen;
}

static bool same_state(const state *a, const state *b) {
  if (a->reached != b->reached || a->live != b->live || a->unseen != b->unseen ||
      a->holders != b->holders || a->sure_holders != b->sure_holders || a->older != b->older ||
      memcmp(a->recorded, b->recorded, sizeof a->recorded) != 0 ||
      memcmp(a->maybe_recorded, b->maybe_recorded, sizeof a->maybe_recorded) != 0)
    return false;
  for (uint32_t i = 0; i < AGES * SA_SYNC_LANES; i++) {
    const cover *x = &a->lanes[i / SA_SYNC_LANES][i % SA_SYNC_LANES];
    const cover *y = &b->lanes[i / SA_SYNC_LANES][i % SA_SYNC_LANES];
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
  for (uint32_t i = 0; i < cfg->preds[block].n; i++) join(r, &s, &outs[cfg->preds[block].at[i]]);
  s.reached = true;
  r->at_block = block;
  for (uint32_t i = actions->first[block]; i < actions->end[block]; i++) step(r, &s, i);
  if (r->final) {
    r->out->unseen |= s.unseen;
    r->out->escapes |= (s.holders & outside(r)) != 0;
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
  r->creation = sa_sync_entity(sync, creation, true);
  if (sync->too_many || !find_lanes(r, creation)) {
    out->unknown = "the function uses more streams and events than are kept apart";
    return out;
  }
  const sa_cfg *cfg = sync->fn->cfg;
  const sa_value *v = sa_value_about(sync->world, r->block);
  owned = owned && v->kind == SA_VAL_MADE && v->func == sync->fn->index;
  r->birth = owned ? sa_cfg_block_of(cfg, v->at) : SA_NO_INDEX;
  state entry = {.reached = true, .live = !owned, .recorded = {[OLDER] = ALL}};
  bool variable = (v->kind == SA_VAL_PHI || v->kind == SA_VAL_ELEM) &&
                  sa_value_is_made_in(sync->world, r->block, sync->fn);
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
