/* The functions of libclang that this frontend uses, looked up at run time, so that one binary
 * works with any libclang from 17 on. */
#ifndef SA_FRONTEND_CLANG_LIBRARY_H
#define SA_FRONTEND_CLANG_LIBRARY_H

#include "frontend/clang/clang.h"

#include <clang-c/Index.h>

#define SA_CLANG_FUNCTIONS(F)                                                                      \
  F(createIndex)                                                                                   \
  F(disposeIndex)                                                                                  \
  F(parseTranslationUnit2)                                                                         \
  F(disposeTranslationUnit)                                                                        \
  F(getTranslationUnitCursor)                                                                      \
  F(visitChildren)                                                                                 \
  F(getCursorKind)                                                                                 \
  F(getCursorSpelling)                                                                             \
  F(getCursorType)                                                                                 \
  F(getCursorReferenced)                                                                           \
  F(getCursorDefinition)                                                                           \
  F(getCanonicalCursor) F(getCursorSemanticParent) F(getCursorResultType) F(getCursorExtent) F(    \
      getCursorLocation) F(getCursor) F(getLocationForOffset) F(getRangeStart) F(getRangeEnd)      \
      F(getFileLocation) F(getSpellingLocation) F(getFile) F(getFileName) F(getFileContents) F(    \
          getCString) F(disposeString) F(getTypeSpelling) F(getCanonicalType) F(getPointeeType)    \
          F(hashCursor) F(equalCursors) F(Cursor_isNull) F(Cursor_getNumArguments)                 \
              F(Cursor_getArgument) F(isExpression) F(isStatement) F(isDeclaration) F(isReference) \
                  F(isCursorDefinition) F(CXXMethod_isVirtual) F(CXXMethod_isStatic)               \
                      F(CXXMethod_isConst) F(getOverriddenCursors) F(disposeOverriddenCursors) F(  \
                          getCXXAccessSpecifier) F(Cursor_getStorageClass) F(getCursorLinkage)     \
                          F(getNumDiagnostics) F(getDiagnostic) F(getDiagnosticSeverity) F(        \
                              getDiagnosticSpelling) F(getDiagnosticLocation) F(disposeDiagnostic) \
                              F(getAllSkippedRanges) F(disposeSourceRangeList) F(getClangVersion)  \
                                  F(Location_isInSystemHeader) F(getNumOverloadedDecls)            \
                                      F(getOverloadedDecl) F(isConstQualifiedType)                 \
                                          F(getCursorBinaryOperatorKind)                           \
                                              F(getCursorUnaryOperatorKind) F(Cursor_isAnonymous)  \
                                                  F(File_isEqual) F(Cursor_hasAttrs)               \
                                                      F(getTypeDeclaration)                        \
                                                          F(getSpecializedCursorTemplate)          \
                                                              F(Cursor_Evaluate)                   \
                                                                  F(EvalResult_getKind)            \
                                                                      F(EvalResult_getAsUnsigned)  \
                                                                          F(EvalResult_dispose)

struct sa_clang {
  void *handle;
  char *version;
  bool spells_macros; /* getSpellingLocation looks into macros: from 19 on */
  char *resources;    /* the directory with the compiler's own headers; NULL: none was found */
  struct header_index *headers; /* of the project seen last; headers.c */
#define SA_MEMBER(name) __typeof__(&clang_##name) name;
  SA_CLANG_FUNCTIONS(SA_MEMBER)
#undef SA_MEMBER
};

#endif
