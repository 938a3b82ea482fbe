#include "embedded_files.h"

#include <string.h>

// #embed costs the compiler next to nothing. An array literal in Swift of the same bytes takes it minutes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct {
    const char *folder;
    const char *name;
    const char *text;
} files[] = {
#include "files.h"
};

static const size_t count = sizeof files / sizeof *files;

const char *qz_embedded_file(const char *name) {
    for (size_t index = 0; index < count; index++) {
        if (strcmp(files[index].name, name) == 0) return files[index].text;
    }
    __builtin_trap();
}

const char *qz_embedded_name(const char *folder, size_t number) {
    for (size_t index = 0; index < count; index++) {
        if (strcmp(files[index].folder, folder) == 0 && number-- == 0) return files[index].name;
    }
    return NULL;
}
