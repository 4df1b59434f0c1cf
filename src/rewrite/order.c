#include "rewrite/order.h"

#include "rewrite/ways.h"

#include <stdlib.h>
#include <string.h>

/* A place to wait. */
typedef sa_way wait_place;

typedef SA_ARRAY(wait_place) wait_places;

/* Where everything goes. */
typedef struct {
  uint32_t block; /* the event lives in it */
  uint32_t child; /* its statement with the last use */
  uint32_t use;   /* the innermost statement with the last use */
  wait_places waits;
  wait_places inner; /* where the event is recorded at the use itself: also inside of `child` */
} site_map;

static const sa_site_facts *facts_of(const sa_order_input *in, uint32_t site) {
  return &in->input->facts->sites.at[site];
}

/* The last use of any of the blocks on the stream, by place in the text. */
static bool last_use(const sa_order_input *in, const sa_plan *plan, sa_range *out) {
  bool found = false;
  for (uint32_t i = 0; i < plan->sites.n; i++) {
    const sa_places *p = &facts_of(in, plan->sites.at[i])->places;
    for (uint32_t k = 0; k < p->uses.n; k++) {
      if (p->uses.at[k].file != 0 || (found && p->uses.at[k].offset < out->offset)) continue;
      *out = p->uses.at[k];
      found = true;
    }
  }
  return found;
}

/* The statement of a release; for the end of a scope, the block that ends there. */
static bool place_of(const sa_shape *shape, sa_range at, wait_place *out) {
  uint32_t stmt = sa_shape_at(shape, at.offset, at.end_offset);
  if (stmt == SA_SHAPE_NONE) return false;
  const sa_stmt *s = &shape->stmts.at[stmt];
  bool close = s->kind == SA_STMT_BLOCK && at.offset + 1 >= s->end;
  if (s->kind == SA_STMT_BLOCK && !close) return false;
  if (s->kind != SA_STMT_BLOCK && s->kind != SA_STMT_PLAIN && s->role != SA_IN_BLOCK) return false;
  *out = (wait_place){stmt, close, close ? s->end - 1 : s->begin};
  return true;
}

static bool add_wait(sa_arena *arena, wait_places *waits, wait_place place) {
  for (uint32_t i = 0; i < waits->n; i++)
    if (waits->at[i].stmt == place.stmt && waits->at[i].at_close == place.at_close) return false;
  sa_push(arena, waits, place);
  return true;
}

/* The places of a release; returns how many. */
static uint32_t places_of(const sa_order_input *in, uint32_t site, sa_range at,
                          wait_place out[SA_MAX_WAYS]) {
  const sa_ir_unit *unit = in->input->unit;
  if (at.file != 0) return 0;
  if (!in->shape->suites) return place_of(in->shape, at, out);
  return sa_ways_out(in->shape, at, unit->funcs.at[facts_of(in, site)->func].at.offset, out);
}

/* Where the blocks of all the plan's sites are released, each place once. */
static wait_places all_releases(const sa_order_input *in, const sa_plan *plan) {
  wait_places out = {0};
  for (uint32_t i = 0; i < plan->sites.n; i++) {
    const sa_places *p = &facts_of(in, plan->sites.at[i])->places;
    for (uint32_t k = 0; k < p->releases.n; k++) {
      wait_place found[SA_MAX_WAYS];
      uint32_t n = places_of(in, plan->sites.at[i], p->releases.at[k], found);
      for (uint32_t w = 0; w < n; w++) add_wait(in->input->arena, &out, found[w]);
    }
  }
  return out;
}

static wait_places those_after(sa_arena *arena, const wait_places *releases, uint32_t use_end) {
  wait_places out = {0};
  for (uint32_t i = 0; i < releases->n; i++)
    if (releases->at[i].at >= use_end) add_wait(arena, &out, releases->at[i]);
  return out;
}

/* ---- releases of the next turn ---- */

/* The innermost loop around both statements that has a block for its body. */
static uint32_t loop_around(const sa_shape *shape, uint32_t a, uint32_t b) {
  for (uint32_t at = a; at != SA_SHAPE_NONE; at = shape->stmts.at[at].parent)
    if (shape->stmts.at[at].kind == SA_STMT_LOOP && sa_shape_inside(shape, b, at)) return at;
  return SA_SHAPE_NONE;
}

static bool ends_turn(const sa_shape *shape, uint32_t stmt, uint32_t loop) {
  const char *text = shape->text + shape->stmts.at[stmt].begin;
  if (!shape->stmts.at[stmt].jumps) return false;
  if (strncmp(text, "break", 5) != 0 && strncmp(text, "continue", 8) != 0) return false;
  uint32_t at = shape->stmts.at[stmt].parent;
  while (at != SA_SHAPE_NONE && shape->stmts.at[at].kind != SA_STMT_LOOP)
    at = shape->stmts.at[at].parent;
  return at == loop;
}

/* Python's names live on behind the turn that binds them: the next turn releases what they hold.
 * Then the wait stands where a turn ends, and releases behind the loop need none. */
static void wait_each_turn(const sa_order_input *in, const wait_places *releases,
                           const sa_stmt *use, uint32_t use_stmt, wait_places *waits) {
  const sa_shape *shape = in->shape;
  uint32_t loop = SA_SHAPE_NONE, body = SA_SHAPE_NONE, n = 0;
  for (uint32_t i = 0; i < releases->n && loop == SA_SHAPE_NONE; i++)
    if (releases->at[i].at < use->end) loop = loop_around(shape, use_stmt, releases->at[i].stmt);
  if (loop == SA_SHAPE_NONE) return;
  for (uint32_t i = loop + 1; i < shape->stmts.n && body == SA_SHAPE_NONE; i++)
    if (shape->stmts.at[i].parent == loop && shape->stmts.at[i].role == SA_IN_BODY) body = i;
  if (body == SA_SHAPE_NONE || !sa_shape_inside(shape, use_stmt, body)) return;
  for (uint32_t i = 0; i < waits->n; i++)
    if (sa_shape_inside(shape, waits->at[i].stmt, body)) waits->at[n++] = waits->at[i];
  waits->n = n;
  for (uint32_t i = body + 1;
       i < shape->stmts.n && shape->stmts.at[i].begin < shape->stmts.at[body].end; i++)
    if (shape->stmts.at[i].begin >= use->end && ends_turn(shape, i, loop))
      add_wait(in->input->arena, waits, (wait_place){i, false, shape->stmts.at[i].begin});
  if (sa_shape_falls_through(shape, body))
    add_wait(in->input->arena, waits, (wait_place){body, true, shape->stmts.at[body].end});
}

/* ---- None ---- */

/* The block of the plan's calls: there the stream is one. SA_SHAPE_NONE when they stand in several.
 */
static uint32_t block_of_calls(const sa_order_input *in, const sa_plan *plan) {
  uint32_t block = SA_SHAPE_NONE;
  for (uint32_t i = 0; i < plan->sites.n; i++) {
    sa_range at = facts_of(in, plan->sites.at[i])->at;
    uint32_t stmt = sa_shape_at(in->shape, at.offset, at.end_offset);
    uint32_t own = stmt != SA_SHAPE_NONE ? sa_shape_block_of(in->shape, stmt) : SA_SHAPE_NONE;
    if (i > 0 && own != block) return SA_SHAPE_NONE;
    block = own;
  }
  /* What a context ran has run when it ends. */
  while (block != SA_SHAPE_NONE && in->shape->stmts.at[block].parent != SA_SHAPE_NONE &&
         in->shape->stmts.at[in->shape->stmts.at[block].parent].kind == SA_STMT_CONTEXT)
    block = sa_shape_block_of(in->shape, in->shape->stmts.at[block].parent);
  return block;
}

/* A stream that may be None is one where it is recorded: event and waits stay in that block. */
static const char *stay_with_calls(const sa_order_input *in, const sa_plan *plan, uint32_t use,
                                   wait_places *waits) {
  const sa_shape *shape = in->shape;
  const sa_site_facts *facts = facts_of(in, plan->sites.at[0]);
  const char *made_on =
      sa_spell_member(in->input->arena, shape, facts->creation_stream, facts->at.offset);
  bool none = sa_ways_may_be_none(shape, in->stream, facts->at.offset) ||
              (made_on != NULL && sa_ways_may_be_none(shape, made_on, facts->at.offset));
  if (!none) return NULL;
  uint32_t block = block_of_calls(in, plan);
  if (block == SA_SHAPE_NONE || !sa_shape_inside(shape, use, block))
    return "the stream may be None where the event would be recorded";
  wait_places inside = {0};
  for (uint32_t i = 0; i < waits->n; i++) {
    wait_place wait = waits->at[i];
    if (!sa_shape_inside(shape, wait.stmt, block))
      wait = (wait_place){block, true, shape->stmts.at[block].end};
    add_wait(in->input->arena, &inside, wait);
  }
  *waits = inside;
  return NULL;
}

/* ---- places ---- */

static bool holds(const sa_shape *shape, uint32_t block, const wait_place *wait) {
  return sa_shape_inside(shape, wait->stmt, block);
}

/* The innermost block around the use that also holds every release after it. */
static uint32_t common_block(const sa_shape *shape, uint32_t use, const wait_places *waits) {
  uint32_t block = sa_shape_block_of(shape, use);
  for (uint32_t i = 0; i < waits->n && block != SA_SHAPE_NONE; i++)
    while (block != SA_SHAPE_NONE && !holds(shape, block, &waits->at[i]))
      block = sa_shape_block_of(shape, block);
  return block;
}

/* A wait in a loop that the event is not recorded in goes in front of the loop. */
static wait_place out_of_loops(const sa_shape *shape, wait_place wait, uint32_t block) {
  wait_place out = wait;
  for (uint32_t at = wait.stmt; at != SA_SHAPE_NONE && at != block; at = shape->stmts.at[at].parent)
    if (shape->stmts.at[at].kind == SA_STMT_LOOP)
      out = (wait_place){at, false, shape->stmts.at[at].begin};
  return out;
}

static int by_place(const void *a, const void *b) {
  const wait_place *x = a, *y = b;
  return (x->at > y->at) - (x->at < y->at);
}

/* An event that the wait ends can be waited for once: on ways that leave the function each has its
 * own wait; otherwise one stands in front of all of them. */
static void wait_once(const sa_shape *shape, site_map *m) {
  bool alone = true;
  for (uint32_t i = 0; i + 1 < m->waits.n; i++) {
    const sa_stmt *s = &shape->stmts.at[m->waits.at[i].stmt];
    alone &= !m->waits.at[i].at_close && s->jumps;
  }
  if (alone || m->waits.n < 2) return;
  uint32_t first = sa_shape_child_of(shape, m->waits.at[0].stmt, m->block);
  if (first == SA_SHAPE_NONE) return;
  m->waits.at[0] = (wait_place){first, false, shape->stmts.at[first].begin};
  m->waits.n = 1;
}

static uint32_t block_around(const sa_shape *shape, const wait_place *wait) {
  return wait->at_close ? wait->stmt : sa_shape_block_of(shape, wait->stmt);
}

/* A wait that another one always comes before says nothing new. */
static void drop_repeated(const sa_shape *shape, wait_places *waits) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < waits->n; i++) {
    bool repeated = false;
    for (uint32_t k = 0; k < n && !repeated; k++) {
      const sa_stmt *before = &shape->stmts.at[waits->at[k].stmt];
      bool always = waits->at[k].at_close || before->role == SA_IN_BLOCK;
      repeated = always && holds(shape, block_around(shape, &waits->at[k]), &waits->at[i]);
    }
    if (!repeated) waits->at[n++] = waits->at[i];
  }
  waits->n = n;
}

static const char *find_places(const sa_order_input *in, const sa_plan *plan, site_map *m) {
  const sa_shape *shape = in->shape;
  sa_range use;
  if (!last_use(in, plan, &use))
    return "no work on the recorded stream is seen that uses the block";
  m->use = sa_shape_at(shape, use.offset, use.end_offset);
  if (m->use == SA_SHAPE_NONE) return "the last use is not in a statement of this file";
  const sa_stmt *last = &shape->stmts.at[m->use];
  wait_places releases = all_releases(in, plan);
  wait_places waits = those_after(in->input->arena, &releases, last->end);
  if (shape->suites) wait_each_turn(in, &releases, last, m->use, &waits);
  if (waits.n == 0) return "no release is seen behind the last use";
  const char *why = shape->suites ? stay_with_calls(in, plan, m->use, &waits) : NULL;
  if (why != NULL) return why;
  m->block = common_block(shape, m->use, &waits);
  if (m->block == SA_SHAPE_NONE) return "use and release do not stand in one block";
  m->child = sa_shape_child_of(shape, m->use, m->block);
  for (uint32_t i = 0; i < waits.n; i++) {
    wait_place wait = waits.at[i];
    bool own = wait.at_close && wait.stmt == m->block;
    bool inside = !own && sa_shape_inside(shape, wait.stmt, m->child);
    if (!own && !inside) wait = out_of_loops(shape, wait, m->block);
    add_wait(in->input->arena, &m->inner, wait);
    if (!inside) add_wait(in->input->arena, &m->waits, wait);
  }
  qsort(m->inner.at, m->inner.n, sizeof *m->inner.at, by_place);
  if (m->waits.n == 0) return NULL;
  qsort(m->waits.at, m->waits.n, sizeof *m->waits.at, by_place);
  if (in->spelling->once) wait_once(shape, m);
  drop_repeated(shape, &m->waits);
  return NULL;
}

/* ---- one candidate ---- */

typedef struct {
  const char *waiter;
  bool held; /* the waiter is a variable that keeps the current stream from the block's making on */
  bool split; /* the event is made before the statement and recorded at the use itself */
  bool join;  /* no event: the wait is for all of the stream, and stands where the event would */
} variant;

static void stand(sa_spell *spell, uint32_t block, uint32_t at) {
  spell->block = block;
  spell->at = at;
}

static bool has_value(const sa_spell *spell, const char *path) {
  const sa_shape *shape = spell->shape;
  return !shape->suites || !sa_spell_is_path(path) ||
         sa_shape_binds(shape, path, spell->block, spell->at);
}

static const char *put_waits(const sa_layout *l, const wait_places *waits, sa_spell *spell,
                             const variant *v) {
  const sa_spelling *s = spell->spelling;
  bool join = v->join, held = v->held;
  const char *const *text = join ? &s->join : s->wait.at;
  const char *why = waits->n == 0 ? "no release is seen behind the last use" : NULL;
  for (uint32_t i = 0; i < waits->n && why == NULL; i++) {
    sa_lines_of_code lines = {0};
    stand(spell, block_around(l->shape, &waits->at[i]), waits->at[i].at);
    if (join && !has_value(spell, spell->stream))
      return "the recorded stream has no name at the release";
    if (!held && !has_value(spell, spell->waiter))
      return "the creation stream has no name at the release";
    if (!sa_spell_lines(&lines, l->arena, spell, text, join ? 1 : s->wait.n))
      return "what the wait needs is not named in the file";
    why = waits->at[i].at_close ? sa_layout_at_close(l, waits->at[i].stmt, &lines)
                                : sa_layout_before(l, waits->at[i].stmt, &lines);
  }
  return why;
}

/* The statement that the event is recorded behind when it is made in front of `child`: a context
 * that the last use stands in is left first. */
static uint32_t mark_of(const sa_shape *shape, const site_map *m) {
  uint32_t at = m->use;
  for (uint32_t up = at; up != m->child && up != SA_SHAPE_NONE; up = shape->stmts.at[up].parent)
    if (shape->suites && shape->stmts.at[up].kind == SA_STMT_CONTEXT) at = up;
  return at;
}

static const char *put_split_event(const sa_layout *l, const site_map *m, sa_spell *spell) {
  const sa_spelling *s = spell->spelling;
  const sa_shape *shape = l->shape;
  sa_lines_of_code made = {0}, marks = {0};
  uint32_t mark = mark_of(shape, m);
  stand(spell, m->block, shape->stmts.at[m->child].begin);
  bool named = has_value(spell, spell->stream) || !s->declare_marks;
  bool spelled = sa_spell_lines(&made, l->arena, spell, s->declare.at, s->declare.n);
  stand(spell, sa_shape_block_of(shape, mark), shape->stmts.at[mark].end);
  if (!named || !has_value(spell, spell->stream))
    return "the recorded stream has no name where the event is recorded";
  if (!spelled || !sa_spell_lines(&marks, l->arena, spell, s->record.at, s->record.n))
    return "what the event needs is not named in the file";
  const char *why = sa_layout_before(l, m->child, &made);
  return why != NULL ? why : sa_layout_after(l, mark, &marks);
}

static const char *put_event(const sa_layout *l, const site_map *m, sa_spell *spell) {
  const sa_spelling *s = spell->spelling;
  sa_lines_of_code made = {0}, marks = {0};
  stand(spell, m->block, l->shape->stmts.at[m->use].end);
  if (!has_value(spell, spell->stream))
    return "the recorded stream has no name behind the last use";
  if (!sa_spell_lines(&made, l->arena, spell, s->declare.at, s->declare.n) ||
      !sa_spell_lines(&marks, l->arena, spell, s->record.at, s->record.n))
    return "what the event needs is not named in the file";
  for (uint32_t i = 0; i < marks.n && !s->declare_marks; i++) sa_push(l->arena, &made, marks.at[i]);
  return sa_layout_after(l, m->child, &made);
}

/* The current stream is kept where the block is made: it is the creation stream there. */
static const char *put_hold(const sa_layout *l, sa_range made, const wait_places *waits,
                            sa_spell *spell) {
  const sa_shape *shape = l->shape;
  uint32_t stmt = made.file == 0 && made.line != 0
                      ? sa_shape_at(shape, made.offset, made.end_offset)
                      : SA_SHAPE_NONE;
  sa_lines_of_code lines = {0};
  if (stmt == SA_SHAPE_NONE || shape->stmts.at[stmt].kind != SA_STMT_PLAIN)
    return "the block is not made in this file";
  stand(spell, sa_shape_block_of(shape, stmt), made.offset);
  for (uint32_t i = 0; i < waits->n && shape->suites; i++)
    if (waits->at[i].at < made.end_offset ||
        !sa_shape_inside(shape, block_around(shape, &waits->at[i]), spell->block))
      return "the block is not made on every way to its release";
  if (!sa_spell_lines(&lines, l->arena, spell, &spell->spelling->hold, 1))
    return "the current stream has no name";
  return sa_layout_before(l, stmt, &lines);
}

static sa_layout_call *calls_of(const sa_order_input *in, const sa_plan *plan) {
  sa_layout_call *calls = sa_alloc(in->input->arena, (plan->sites.n + 1) * sizeof *calls);
  for (uint32_t i = 0; i < plan->sites.n; i++) {
    sa_range at = facts_of(in, plan->sites.at[i])->at;
    calls[i] = (sa_layout_call){at.offset, at.end_offset};
  }
  return calls;
}

static const char *make(const sa_order_input *in, sa_plan *plan, const site_map *m, variant v) {
  sa_arena *arena = in->input->arena;
  sa_candidate candidate = {0};
  sa_layout l = {arena, in->input->rules, in->shape, &candidate.ordering};
  sa_spell spell = {.shape = in->shape,
                    .spelling = in->spelling,
                    .event = sa_spell_name(arena, in->shape, in->stream, "_done", in->twins),
                    .stream = in->stream,
                    .waiter = v.waiter};
  const wait_places *waits = v.split ? &m->inner : &m->waits;
  sa_range made = facts_of(in, plan->sites.at[0])->places.made;
  const char *why = v.held ? put_hold(&l, made, waits, &spell) : NULL;
  if (why == NULL && v.split) why = put_split_event(&l, m, &spell);
  if (why == NULL && !v.split && !v.join) why = put_event(&l, m, &spell);
  if (why == NULL) why = put_waits(&l, waits, &spell, &v);
  if (why != NULL) return why;
  sa_spell_include(arena, &candidate.ordering, in->shape, in->spelling);
  sa_splices deleted = {0};
  l.splices = &deleted;
  why = sa_layout_delete(&l, calls_of(in, plan), plan->sites.n);
  if (why == NULL) why = sa_retire_helper(in->input, &l, plan);
  if (why != NULL) return why;
  sa_splices_merge(arena, &candidate.all, &candidate.ordering);
  if (!sa_splices_merge(arena, &candidate.all, &deleted)) return "its edits overlap";
  sa_push(arena, &plan->candidates, candidate);
  return NULL;
}

/* Whether the only wait stands where the event would be recorded, but for the calls that go. */
static bool is_one_place(const sa_order_input *in, const sa_plan *plan, const site_map *m) {
  const sa_shape *shape = in->shape;
  sa_layout l = {in->input->arena, in->input->rules, shape, NULL};
  sa_layout_call *calls = calls_of(in, plan);
  if (m->waits.n != 1 || block_around(shape, &m->waits.at[0]) != m->block) return false;
  for (uint32_t i = 0; i < shape->stmts.n; i++) {
    const sa_stmt *s = &shape->stmts.at[i];
    bool between = s->begin >= shape->stmts.at[m->child].end && s->end <= m->waits.at[0].at;
    bool goes = !between || s->kind != SA_STMT_PLAIN;
    for (uint32_t k = 0; k < plan->sites.n && !goes; k++)
      goes = sa_layout_statement(&l, calls[k]) == i;
    if (!goes) return false;
  }
  return true;
}

static bool goes_to_caller(const sa_order_input *in, const sa_plan *plan) {
  for (uint32_t i = 0; i < plan->sites.n; i++)
    if (facts_of(in, plan->sites.at[i])->facts[SA_FACT_release].word ==
        sa_fact_word_index(SA_FACT_release, "caller"))
      return true;
  return false;
}

enum { MAX_VARIANTS = 6 };

/* Ways to spell it, the best first. */
static uint32_t find_variants(const sa_order_input *in, const sa_plan *plan, const site_map *m,
                              variant out[MAX_VARIANTS]) {
  const sa_spelling *s = in->spelling;
  const sa_site_facts *facts = facts_of(in, plan->sites.at[0]);
  const char *named =
      sa_spell_member(in->input->arena, in->shape, facts->creation_stream, facts->at.offset);
  bool join = s->join != NULL && is_one_place(in, plan, m);
  uint32_t n = 0;
  for (int split = 0; split < (s->once || m->use == m->child ? 1 : 2); split++) {
    variant v = {.split = split == 1, .join = join && split == 0};
    v.waiter = named;
    if (named != NULL && sa_spell_is_path(named)) out[n++] = v;
    v.waiter = s->current;
    if (s->current != NULL) out[n++] = v;
    if (s->hold == NULL) continue;
    v.waiter = sa_spell_name(in->input->arena, in->shape, "creation_stream", "", in->twins);
    v.held = true;
    out[n++] = v;
  }
  return n;
}

const char *sa_order_plan(const sa_order_input *in, sa_plan *plan) {
  site_map m = {0};
  const char *why = find_places(in, plan, &m);
  if (why != NULL) return why;
  if (in->spelling->join != NULL && goes_to_caller(in, plan) && is_one_place(in, plan, &m))
    return "the caller lets go of the block, and can wait later";
  variant variants[MAX_VARIANTS];
  uint32_t n = find_variants(in, plan, &m, variants);
  if (n == 0) return "the creation stream has no name in the file";
  for (uint32_t i = 0; i < n; i++) {
    const char *one = make(in, plan, &m, variants[i]);
    if (why == NULL) why = one;
  }
  return plan->candidates.n > 0 ? NULL : why;
}
