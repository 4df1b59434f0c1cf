/* What an edit changed in what the linter says. */
#include "rewrite/proof.h"

#include <string.h>

static uint32_t offset_before(const sa_proof *p, sa_place at) {
  return sa_text_offset(p->text, p->length, at.line, at.column);
}

static uint32_t offset_after(const sa_proof *p, sa_place at) {
  return sa_text_offset(p->edited, p->edited_length, at.line, at.column);
}

const sa_site *sa_proof_site(const sa_proof *p, uint32_t index) {
  const sa_site *site = &p->before->sites.at[index];
  uint32_t wanted = sa_splices_map(p->edits, offset_before(p, site->at));
  for (uint32_t i = 0; i < p->after->sites.n; i++)
    if (strcmp(p->after->sites.at[i].at.file, site->at.file) == 0 &&
        offset_after(p, p->after->sites.at[i].at) == wanted)
      return &p->after->sites.at[i];
  return NULL;
}

/* Whether something of that rule, or as bad, was said before about the place, or (places of waits
 * and releases move) about the function as often. */
static bool said_before(const sa_proof *p, const sa_finding *finding, bool *used) {
  uint32_t at = offset_after(p, finding->at);
  for (uint32_t i = 0; i < p->before->findings.n; i++) {
    const sa_finding *old = &p->before->findings.at[i];
    if (used[i] || strcmp(old->at.file, finding->at.file) != 0 || old->rule != finding->rule)
      continue;
    if (sa_splices_map(p->edits, offset_before(p, old->at)) != at) continue;
    return used[i] = true;
  }
  for (uint32_t i = 0; i < p->before->findings.n; i++) {
    const sa_finding *old = &p->before->findings.at[i];
    if (used[i] || strcmp(old->at.file, finding->at.file) != 0) continue;
    bool here = sa_splices_map(p->edits, offset_before(p, old->at)) == at;
    if (here && old->level >= finding->level) return used[i] = true;
  }
  return false;
}

static const char *new_finding(sa_arena *arena, const sa_proof *p) {
  bool *used = sa_alloc(arena, p->before->findings.n + 1);
  for (uint32_t i = 0; i < p->after->findings.n; i++) {
    const sa_finding *f = &p->after->findings.at[i];
    if (!said_before(p, f, used))
      return sa_printf(arena, "%s would be said in line %u of the edited text", f->rule->id,
                       (unsigned)f->at.line);
  }
  return NULL;
}

static const char *new_complaint(sa_arena *arena, const sa_proof *p) {
  bool *used = sa_alloc(arena, p->complaints_before->n + 1);
  for (uint32_t i = 0; i < p->complaints_after->n; i++) {
    bool old = false;
    for (uint32_t k = 0; k < p->complaints_before->n && !old; k++)
      old = !used[k] && strcmp(p->complaints_before->at[k], p->complaints_after->at[i]) == 0 &&
            (used[k] = true);
    if (!old) return sa_printf(arena, SA_PROOF_COMPLAINT "%s", p->complaints_after->at[i]);
  }
  return NULL;
}

static bool same_site(const sa_site *a, const sa_site *b) {
  return strcmp(a->function, b->function) == 0 && strcmp(a->api, b->api) == 0 &&
         strcmp(a->kind, b->kind) == 0 && strcmp(a->block, b->block) == 0;
}

/* Every site that stays must be found again, and no other. */
static const char *other_sites(sa_arena *arena, const sa_proof *p, const uint32_t *gone,
                               uint32_t ngone) {
  for (uint32_t i = 0; i < p->before->sites.n; i++) {
    bool goes = false;
    for (uint32_t k = 0; k < ngone; k++) goes |= gone[k] == i;
    if (goes) continue;
    const sa_site *site = &p->before->sites.at[i], *now = sa_proof_site(p, i);
    if (now == NULL || !same_site(site, now))
      return sa_printf(arena, "the call in line %u would be lost", (unsigned)site->at.line);
  }
  if (p->after->sites.n + ngone == p->before->sites.n) return NULL;
  return sa_printf(arena, "%u calls would be left, not %u", (unsigned)p->after->sites.n,
                   (unsigned)(p->before->sites.n - ngone));
}

const char *sa_proof_fails(sa_arena *arena, const sa_proof *p, const uint32_t *gone,
                           uint32_t ngone) {
  const char *why = new_complaint(arena, p);
  if (why == NULL) why = other_sites(arena, p, gone, ngone);
  return why != NULL ? why : new_finding(arena, p);
}

static uint32_t count(const sa_result *result, const sa_rule *rule, sa_severity level) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < result->findings.n; i++) {
    const sa_finding *f = &result->findings.at[i];
    n += rule != NULL ? f->rule == rule : f->level >= level;
  }
  return n;
}

bool sa_proof_settles(const sa_proof *p, uint32_t index) {
  const sa_finding *old = &p->before->findings.at[index];
  return count(p->after, old->rule, old->level) < count(p->before, old->rule, old->level) &&
         count(p->after, NULL, old->level) < count(p->before, NULL, old->level);
}
