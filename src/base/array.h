/* Growing arrays of plain values, kept in an arena.
 *
 *   typedef SA_ARRAY(int) int_array;
 *   int_array numbers = {0};
 *   sa_push(arena, &numbers, 42);
 *   for (uint32_t i = 0; i < numbers.n; i++) use(numbers.at[i]);
 */
#ifndef SA_BASE_ARRAY_H
#define SA_BASE_ARRAY_H

#include "base/arena.h"

#include <stdint.h>

#define SA_ARRAY(T)                                                                                \
  struct {                                                                                         \
    T *at;                                                                                         \
    uint32_t n, capacity;                                                                          \
  }

/* Makes room for one more element; the address of elements may change. */
#define sa_reserve_one(arena, array)                                                               \
  ((array)->n < (array)->capacity                                                                  \
       ? (void)0                                                                                   \
       : (void)((array)->at = sa_regrow(                                                           \
                    (arena), (array)->at, (array)->n * sizeof *(array)->at,                        \
                    ((array)->capacity = (array)->capacity ? (array)->capacity * 2 : 4) *          \
                        sizeof *(array)->at)))

/* Appends a value (a compound literal needs parentheses around it). */
#define sa_push(arena, array, ...)                                                                 \
  (sa_reserve_one((arena), (array)), (void)((array)->at[(array)->n++] = (__VA_ARGS__)))

#endif
