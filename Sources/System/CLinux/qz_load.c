#include "qz_load.h"

#include <dlfcn.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Fills all slots or none.
static int fill(void *library, const char *const *names, void **slots) {
    for (size_t index = 0; names[index]; index++) {
        if (!dlsym(library, names[index])) return 0;
    }
    for (size_t index = 0; names[index]; index++) slots[index] = dlsym(library, names[index]);
    return 1;
}

int qz_load(const char *const *files, const char *const *names, void **slots) {
    pthread_mutex_lock(&mutex);
    for (; *files && !slots[0]; files++) {
        void *library = dlopen(*files, RTLD_NOW | RTLD_LOCAL);
        // Never closed where it is used: its functions are called until the process ends.
        if (library && !fill(library, names, slots)) dlclose(library);
    }
    int is_loaded = slots[0] != NULL;
    pthread_mutex_unlock(&mutex);
    return is_loaded;
}
