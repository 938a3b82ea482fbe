// Loads a library and finds its functions.
#pragma once

#include <stddef.h>

/// Fills `slots` with the addresses of `names`, from the first of `files` that has them all; both lists end with NULL.
///
/// Returns whether `slots` are filled, and does nothing where they were before. What is not found is looked for again
/// by the next call: a library may be installed while a program runs.
int qz_load(const char *const *files, const char *const *names, void **slots);

#define QZ_NAME(name) #name,

// Defines the function that loads a library into the table `type`, a struct of as many pointers as `functions` lists.
#define QZ_DEFINE_LOADER(type, functions, ...)                                                                       \
    static union {                                                                                                   \
        type table;                                                                                                  \
        void *slots[sizeof(type) / sizeof(void *)];                                                                  \
    } type##_loaded;                                                                                                 \
    const type *type##_load(void) {                                                                                  \
        static const char *const files[] = {__VA_ARGS__, NULL};                                                      \
        static const char *const names[] = {functions(QZ_NAME) NULL};                                                \
        return qz_load(files, names, type##_loaded.slots) ? &type##_loaded.table : NULL;                             \
    }
