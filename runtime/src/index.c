#include "index.h"

/* Priorities are hashes of the sizes that the nodes came with: same calls, same shape. */
static uint64_t priority_of(size_t size) {
  uint64_t x = (uint64_t)size * 0x9E3779B97F4A7C15u;
  return x ^ (x >> 29);
}

/* ---- pairing heap by address ---------------------------------------------------------------- */

static sar_free_node *meld(sar_free_node *a, sar_free_node *b) {
  if (!a) return b;
  if (!b) return a;
  if (b->addr < a->addr) {
    sar_free_node *t = a;
    a = b;
    b = t;
  }
  b->before = a;
  b->after = a->child;
  if (a->child) a->child->before = b;
  a->child = b;
  return a;
}

/* Pairs the children from the left, then melds the pairs from the right. */
static sar_free_node *meld_children(sar_free_node *n) {
  sar_free_node *pairs = NULL, *c = n->child;
  n->child = NULL;
  while (c) {
    sar_free_node *a = c, *b = c->after;
    c = b ? b->after : NULL;
    a->after = a->before = NULL;
    if (b) b->after = b->before = NULL;
    a = meld(a, b);
    a->after = pairs;
    pairs = a;
  }
  sar_free_node *all = NULL;
  while (pairs) {
    sar_free_node *next = pairs->after;
    pairs->after = NULL;
    all = meld(all, pairs);
    pairs = next;
  }
  return all;
}

static void cut(sar_free_node *n) {
  if (n->before->child == n)
    n->before->child = n->after;
  else
    n->before->after = n->after;
  if (n->after) n->after->before = n->before;
  n->before = n->after = NULL;
}

/* ---- treap by size -------------------------------------------------------------------------- */

static void set_parent_link(sar_index *ix, sar_free_node *parent, sar_free_node *old,
                            sar_free_node *now) {
  if (!parent)
    ix->top = now;
  else if (parent->left == old)
    parent->left = now;
  else
    parent->right = now;
  if (now) now->parent = parent;
}

static void replace(sar_index *ix, sar_free_node *old, sar_free_node *now) {
  now->root = true;
  now->priority = old->priority;
  now->left = old->left;
  now->right = old->right;
  if (now->left) now->left->parent = now;
  if (now->right) now->right->parent = now;
  set_parent_link(ix, old->parent, old, now);
  old->root = false;
}

static void rotate_up(sar_index *ix, sar_free_node *n) {
  sar_free_node *p = n->parent;
  sar_free_node *top = p->parent;
  if (p->left == n) {
    p->left = n->right;
    if (n->right) n->right->parent = p;
    n->right = p;
  } else {
    p->right = n->left;
    if (n->left) n->left->parent = p;
    n->left = p;
  }
  p->parent = n;
  set_parent_link(ix, top, p, n);
}

static void treap_remove(sar_index *ix, sar_free_node *n) {
  while (n->left && n->right)
    rotate_up(ix, n->left->priority > n->right->priority ? n->left : n->right);
  set_parent_link(ix, n->parent, n, n->left ? n->left : n->right);
  n->root = false;
}

void sar_index_insert(sar_index *ix, sar_free_node *n) {
  sar_free_node *parent = NULL, *at = ix->top;
  n->left = n->right = n->parent = n->child = n->before = n->after = NULL;
  n->root = false;
  ix->count++;
  while (at && at->size != n->size) {
    parent = at;
    at = n->size < at->size ? at->left : at->right;
  }
  if (at) {
    if (n->addr < at->addr) replace(ix, at, n);
    meld(at, n);
    return;
  }
  n->root = true;
  n->priority = priority_of(n->size);
  n->parent = parent;
  if (!parent)
    ix->top = n;
  else if (n->size < parent->size)
    parent->left = n;
  else
    parent->right = n;
  while (n->parent && n->priority > n->parent->priority) rotate_up(ix, n);
}

static sar_free_node *find_size(const sar_index *ix, size_t size) {
  sar_free_node *at = ix->top;
  while (at->size != size) at = size < at->size ? at->left : at->right;
  return at;
}

void sar_index_remove(sar_index *ix, sar_free_node *n) {
  ix->count--;
  sar_free_node *rest;
  if (n->root) {
    rest = meld_children(n);
    if (rest)
      replace(ix, n, rest);
    else
      treap_remove(ix, n);
    return;
  }
  cut(n);
  rest = meld_children(n);
  if (rest) meld(find_size(ix, n->size), rest);
}

sar_free_node *sar_index_first_fit(const sar_index *ix, size_t size) {
  sar_free_node *best = NULL;
  for (sar_free_node *at = ix->top; at;) {
    if (at->size == size) return at;
    if (at->size > size) {
      best = at;
      at = at->left;
    } else {
      at = at->right;
    }
  }
  return best;
}

static sar_free_node *next_in_heap(sar_free_node *n, const sar_free_node *root) {
  if (n->child) return n->child;
  while (n != root && !n->after) {
    while (n->before->child != n) n = n->before;
    n = n->before;
  }
  return n == root ? NULL : n->after;
}

static sar_free_node *next_in_treap(sar_free_node *n) {
  if (n->right) {
    for (n = n->right; n->left;) n = n->left;
    return n;
  }
  while (n->parent && n->parent->right == n) n = n->parent;
  return n->parent;
}

static const sar_free_node *last_in_treap(const sar_free_node *n) {
  if (n->left) {
    for (n = n->left; n->right;) n = n->right;
    return n;
  }
  while (n->parent && n->parent->left == n) n = n->parent;
  return n->parent;
}

/* Whether the only node of its size keeps its place in the order with another size. */
static bool keeps_its_place(sar_free_node *n, size_t size) {
  if (!n->root || n->child) return false;
  const sar_free_node *beside = size < n->size ? last_in_treap(n) : next_in_treap(n);
  return !beside || (size < n->size ? beside->size < size : beside->size > size);
}

void sar_index_hand_over(sar_index *ix, sar_free_node *old, sar_free_node *now, size_t size) {
  if (!keeps_its_place(old, size)) {
    sar_index_remove(ix, old);
    now->size = size;
    sar_index_insert(ix, now);
    return;
  }
  now->size = size;
  if (now == old) return;
  now->child = now->before = now->after = NULL;
  replace(ix, old, now);
}

bool sar_index_each(const sar_index *ix, bool (*fn)(void *, sar_free_node *), void *arg) {
  sar_free_node *root = ix->top;
  while (root && root->left) root = root->left;
  for (; root; root = next_in_treap(root))
    for (sar_free_node *n = root; n; n = next_in_heap(n, root))
      if (!fn(arg, n)) return false;
  return true;
}
