// Text files that are part of the programs, which are one file wherever they go.
#pragma once

#include <stddef.h>

/// The text of an embedded file, in UTF-8, such as that of "app.js".
///
/// Traps on a name that files.h does not list, which scripts/update-embedded-files makes.
const char *_Nonnull qz_embedded_file(const char *_Nonnull name);

/// The name of an embedded file of a folder, such as "StationPage", by its number from 0 on; NULL after the last.
const char *_Nullable qz_embedded_name(const char *_Nonnull folder, size_t number);
