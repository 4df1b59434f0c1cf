/* The functions of libclang that this frontend uses, looked up at run time, so that one binary
 * works with any libclang from 17 on. */
#ifndef SA_FRONTEND_CLANG_LIBRARY_H
#define SA_FRONTEND_CLANG_LIBRARY_H

#include "frontend/clang/clang.h"

#include <clang-c/Index.h>

/* clang-format off: a name a line keeps changes apart */
#define SA_CLANG_FUNCTIONS(F)                                                                      \
  F(createIndex)                                                                                   \
  F(Cursor_Evaluate)                                                                               \
  F(Cursor_getArgument)                                                                            \
  F(Cursor_getNumArguments)                                                                        \
  F(Cursor_getStorageClass)                                                                        \
  F(Cursor_isNull)                                                                                 \
  F(CXXMethod_isStatic)                                                                            \
  F(CXXMethod_isVirtual)                                                                           \
  F(disposeDiagnostic)                                                                             \
  F(disposeIndex)                                                                                  \
  F(disposeOverriddenCursors)                                                                      \
  F(disposeString)                                                                                 \
  F(disposeTranslationUnit)                                                                        \
  F(equalCursors)                                                                                  \
  F(EvalResult_dispose)                                                                            \
  F(EvalResult_getAsUnsigned)                                                                      \
  F(EvalResult_getKind)                                                                            \
  F(File_isEqual)                                                                                  \
  F(getCanonicalCursor)                                                                            \
  F(getCanonicalType)                                                                              \
  F(getClangVersion)                                                                               \
  F(getCString)                                                                                    \
  F(getCursor)                                                                                     \
  F(getCursorBinaryOperatorKind)                                                                   \
  F(getCursorExtent)                                                                               \
  F(getCursorKind)                                                                                 \
  F(getCursorLinkage)                                                                              \
  F(getCursorLocation)                                                                             \
  F(getCursorReferenced)                                                                           \
  F(getCursorResultType)                                                                           \
  F(getCursorSemanticParent)                                                                       \
  F(getCursorSpelling)                                                                             \
  F(getCursorType)                                                                                 \
  F(getCursorUnaryOperatorKind)                                                                    \
  F(getCXXAccessSpecifier)                                                                         \
  F(getDiagnostic)                                                                                 \
  F(getDiagnosticLocation)                                                                         \
  F(getDiagnosticSeverity)                                                                         \
  F(getDiagnosticSpelling)                                                                         \
  F(getFile)                                                                                       \
  F(getFileContents)                                                                               \
  F(getFileLocation)                                                                               \
  F(getFileName)                                                                                   \
  F(getInclusions)                                                                                 \
  F(getLocationForOffset)                                                                          \
  F(getNumDiagnostics)                                                                             \
  F(getNumOverloadedDecls)                                                                         \
  F(getOverloadedDecl)                                                                             \
  F(getOverriddenCursors)                                                                          \
  F(getPointeeType)                                                                                \
  F(getRangeEnd)                                                                                   \
  F(getRangeStart)                                                                                 \
  F(getSpecializedCursorTemplate)                                                                  \
  F(getSpellingLocation)                                                                           \
  F(getTranslationUnitCursor)                                                                      \
  F(getTypeDeclaration)                                                                            \
  F(getTypeSpelling)                                                                               \
  F(hashCursor)                                                                                    \
  F(isConstQualifiedType)                                                                          \
  F(isCursorDefinition)                                                                            \
  F(isDeclaration)                                                                                 \
  F(isExpression)                                                                                  \
  F(isReference)                                                                                   \
  F(isStatement)                                                                                   \
  F(Location_isInSystemHeader)                                                                     \
  F(parseTranslationUnit2)                                                                         \
  F(visitChildren)
/* clang-format on */

struct sa_clang {
  void *handle;
  char *version;
  bool spells_macros; /* getSpellingLocation looks into macros: from 19 on */
  char *resources;    /* the directory with the compiler's own headers; NULL: none was found */
  char *identity;
  struct header_index *headers;     /* of the project seen last; headers.c */
  bool remembers;                   /* sa_clang_remember() */
  const struct lessons *remembered; /* of the file lowered last; NULL: of none */
  double parsing;                   /* seconds that the library itself took so far */
  sa_reads *reads;                  /* where to say what was read; NULL: nobody asks */
  struct answers *answers;          /* of sa_clang_unchanged(); reads.c */
  int overlay;                      /* overlay.c; -1: none */
  char overlay_path[32];            /* "": this system has no way to give one */
#define SA_MEMBER(name) __typeof__(&clang_##name) name;
  SA_CLANG_FUNCTIONS(SA_MEMBER)
#undef SA_MEMBER
};

#endif
