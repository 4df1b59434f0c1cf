/* The file system without files that libclang is given in hermetic mode. */
#ifndef SA_FRONTEND_CLANG_OVERLAY_H
#define SA_FRONTEND_CLANG_OVERLAY_H

#include "frontend/clang/library.h"

/* Fills `clang->overlay_path` with the name of a description for -ivfsoverlay; "" where the system
 * has no way to make one. */
void open_overlay(sa_clang *clang);
void close_overlay(sa_clang *clang);

#endif
