#define _GNU_SOURCE
#include "qz_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

int qz_rename_unless_taken(int old_folder, const char *old_name, int new_folder, const char *new_name) {
    return renameat2(old_folder, old_name, new_folder, new_name, RENAME_NOREPLACE);
}

int qz_is_open_for_writing(int file) {
    // Whoever opens the file at this very moment has a signal sent to us. SIGIO would end the process, this one is
    // ignored unless somebody wants it.
    fcntl(file, F_SETSIG, SIGURG);
    if (fcntl(file, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN ? 1 : -1;
    fcntl(file, F_SETLEASE, F_UNLCK);
    return 0;
}

static long long nanoseconds(struct statx_timestamp time) {
    // A file may claim any time; what wraps around is as good for a comparison.
    return (long long)((unsigned long long)time.tv_sec * 1000000000u + time.tv_nsec);
}

int qz_status(int folder, const char *name, struct qz_file_status *status) {
    struct statx answer;
    int flags = AT_SYMLINK_NOFOLLOW | (*name ? 0 : AT_EMPTY_PATH);
    if (statx(folder, name, flags, STATX_BASIC_STATS | STATX_BTIME, &answer) != 0) return -1;
    *status = (struct qz_file_status){
        .mode = answer.stx_mode,
        .device = makedev(answer.stx_dev_major, answer.stx_dev_minor),
        .inode = answer.stx_ino,
        .size = (long long)answer.stx_size,
        .modified = nanoseconds(answer.stx_mtime),
        .changed = nanoseconds(answer.stx_ctime),
        .born = answer.stx_mask & STATX_BTIME ? nanoseconds(answer.stx_btime) : 0,
    };
    return 0;
}

int qz_synchronize_file_system(int file) { return syncfs(file); }

long qz_file_system_type(int file) {
    struct statfs status;
    return fstatfs(file, &status) == 0 ? (long)status.f_type : 0;
}

char *const *qz_environment(void) {
    return environ;
}
