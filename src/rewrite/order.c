#include "rewrite/order.h"

#include <stdlib.h>
#include <string.h>

/* A place to wait: in front of a statement, or of a block's closing brace. */
typedef struct {
  uint32_t stmt;
  bool at_close;
  uint32_t at; /* byte, for the order of places */
} wait_place;

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

static wait_places releases_after(const sa_order_input *in, const sa_plan *plan, uint32_t use_end) {
  wait_places out = {0};
  for (uint32_t i = 0; i < plan->sites.n; i++) {
    const sa_places *p = &facts_of(in, plan->sites.at[i])->places;
    for (uint32_t k = 0; k < p->releases.n; k++) {
      wait_place place;
      if (p->releases.at[k].file != 0 || !place_of(in->shape, p->releases.at[k], &place)) continue;
      if (place.at >= use_end) add_wait(in->input->arena, &out, place);
    }
  }
  return out;
}

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
  wait_places waits = releases_after(in, plan, shape->stmts.at[m->use].end);
  if (waits.n == 0) return "no release is seen behind the last use";
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
} variant;

static const char *put_waits(const sa_layout *l, const wait_places *waits, sa_spell *spell) {
  const char *why = waits->n == 0 ? "no release is seen behind the last use" : NULL;
  for (uint32_t i = 0; i < waits->n && why == NULL; i++) {
    sa_lines_of_code lines = {0};
    spell->at = waits->at[i].at;
    if (!sa_spell_lines(&lines, l->arena, spell, spell->spelling->wait.at, spell->spelling->wait.n))
      return "what the wait needs is not named in the file";
    why = waits->at[i].at_close ? sa_layout_at_close(l, waits->at[i].stmt, &lines)
                                : sa_layout_before(l, waits->at[i].stmt, &lines);
  }
  return why;
}

static const char *put_event(const sa_layout *l, const site_map *m, sa_spell *spell, bool split) {
  const sa_spelling *s = spell->spelling;
  sa_lines_of_code made = {0}, marks = {0};
  spell->at = l->shape->stmts.at[m->use].end;
  if (!sa_spell_lines(&made, l->arena, spell, s->declare.at, s->declare.n) ||
      !sa_spell_lines(&marks, l->arena, spell, s->record.at, s->record.n))
    return "what the event needs is not named in the file";
  if (split) {
    const char *why = sa_layout_before(l, m->child, &made);
    return why != NULL ? why : sa_layout_after(l, m->use, &marks);
  }
  for (uint32_t i = 0; i < marks.n; i++) sa_push(l->arena, &made, marks.at[i]);
  return sa_layout_after(l, m->child, &made);
}

/* The current stream is kept where the block is made: it is the creation stream there. */
static const char *put_hold(const sa_layout *l, const sa_order_input *in, const sa_plan *plan,
                            sa_spell *spell) {
  sa_range made = facts_of(in, plan->sites.at[0])->places.made;
  uint32_t stmt = made.file == 0 && made.line != 0
                      ? sa_shape_at(l->shape, made.offset, made.end_offset)
                      : SA_SHAPE_NONE;
  sa_lines_of_code lines = {0};
  if (stmt == SA_SHAPE_NONE || l->shape->stmts.at[stmt].kind != SA_STMT_PLAIN)
    return "the block is not made in this file";
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
  const char *why = v.held ? put_hold(&l, in, plan, &spell) : NULL;
  if (why == NULL) why = put_event(&l, m, &spell, v.split);
  if (why == NULL) why = put_waits(&l, v.split ? &m->inner : &m->waits, &spell);
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

const char *sa_order_plan(const sa_order_input *in, sa_plan *plan) {
  site_map m = {0};
  const char *why = find_places(in, plan, &m);
  if (why != NULL) return why;
  const char *named = facts_of(in, plan->sites.at[0])->creation_stream;
  const sa_spelling *s = in->spelling;
  variant variants[6];
  uint32_t n = 0;
  for (int split = 0; split < (s->once || m.use == m.child ? 1 : 2); split++) {
    if (sa_spell_is_path(named)) variants[n++] = (variant){named, false, split == 1};
    if (s->current != NULL) variants[n++] = (variant){s->current, false, split == 1};
    if (s->hold != NULL)
      variants[n++] =
          (variant){sa_spell_name(in->input->arena, in->shape, "creation_stream", "", in->twins),
                    true, split == 1};
  }
  if (n == 0) return "the creation stream has no name in the file";
  for (uint32_t i = 0; i < n; i++) {
    const char *one = make(in, plan, &m, variants[i]);
    if (why == NULL) why = one;
  }
  return plan->candidates.n > 0 ? NULL : why;
}
