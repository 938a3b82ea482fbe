// Text files that are part of the programs, which are one file wherever they go.
#pragma once

/// The text of an embedded file, in UTF-8, such as that of "app.js".
///
/// Traps on a name that files.c does not list.
const char *_Nonnull qz_embedded_file(const char *_Nonnull name);
