#define _GNU_SOURCE
#include "qz_sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <net/if.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "qz_load.h"

#define FUNCTIONS(use)                                                                                               \
    use(seccomp_api_set) use(seccomp_init) use(seccomp_release) use(seccomp_export_bpf) use(seccomp_rule_add_array)   \
    use(seccomp_syscall_resolve_name)

typedef struct {
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} qz_seccomp;

const qz_seccomp *qz_seccomp_load(void);
QZ_DEFINE_LOADER(qz_seccomp, FUNCTIONS, "libseccomp.so.2")

// System calls that are allowed without conditions: they act on this process or on open descriptors, or only read. A
// name that libseccomp does not know is skipped, and the call fails like those that are not listed.
static const char *const harmless[] = {
    // Memory. Code is mapped when a codec is loaded for its first picture.
    "brk", "madvise", "membarrier", "mincore", "mmap", "mprotect", "mremap", "munmap",
    // Threads of codecs, of libdispatch and of Swift; clone has conditions.
    "exit", "exit_group", "futex", "futex_waitv", "get_robust_list", "getcpu", "getpid", "getppid", "gettid", "rseq",
    "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getparam", "sched_getscheduler",
    "sched_yield", "set_robust_list", "set_tid_address",
    // Signals to this process itself, and its timers.
    "alarm", "getitimer", "restart_syscall", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigsuspend", "rt_sigtimedwait", "setitimer", "sigaltstack",
    // Time.
    "clock_getres", "clock_gettime", "clock_nanosleep", "gettimeofday", "nanosleep", "time", "times",
    "timerfd_create", "timerfd_gettime", "timerfd_settime",
    // Information about the system and the user; getrandom for the seeds of hash tables.
    "getegid", "geteuid", "getgid", "getgroups", "getrandom", "getresgid", "getresuid", "getrlimit", "getrusage",
    "getuid", "sysinfo", "ugetrlimit", "uname",
    // Reading the metadata of files by their paths; open and openat have conditions.
    "access", "faccessat", "faccessat2", "fstat", "fstatat64", "fstatfs", "getcwd", "lstat", "newfstatat", "readlink",
    "readlinkat", "stat", "statfs", "statx",
    // Open descriptors, pipes, and files in memory for a document that a program renders. The helper is asked for that
    // program over a socket that was opened before.
    "close", "close_range", "dup", "dup2", "dup3", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2",
    "epoll_wait", "eventfd2", "fadvise64", "fdatasync", "fsync", "ftruncate", "getdents64", "lseek", "memfd_create",
    "pipe", "pipe2", "poll", "ppoll", "pread64", "preadv", "pselect6", "pwrite64", "read", "readahead", "readv",
    "recvmsg", "select", "sendmsg", "write", "writev",
};

// System calls that no codec needs and that attackers use: to start programs, or to reach the network, other processes
// or less tested parts of the kernel. They kill a worker, so that the attack ends; its picture is then reported as
// failed. In a program that decodes a picture itself they raise SIGSYS, so that it can report the picture.
// All other calls that are not listed fail with ENOSYS, upon which the C library uses an older call.
static const char *const hostile[] = {
    "accept", "accept4", "add_key", "bpf", "chroot", "delete_module", "execveat", "finit_module",
    "fork", "init_module", "io_uring_enter", "io_uring_register", "io_uring_setup", "kexec_file_load", "kexec_load",
    "keyctl", "listen", "mount", "move_mount", "open_by_handle_at", "open_tree", "perf_event_open", "pidfd_getfd",
    "pivot_root", "process_vm_readv", "process_vm_writev", "ptrace", "request_key", "setns", "umount2", "unshare",
    "userfaultfd", "vfork",
};

// Calls that also kill a worker. In a program that reads documents, execve is allowed, because it starts that
// program, and the others only fail, because libraries look up users over a socket.
static const char *const hostile_in_worker[] = {"execve", "socket", "socketpair"};

// Calls that only a program that reads a network camera may make: they are hostile in all others. A socket that looks up
// the addresses of this machine, to order those of a host name, is bound.
static const char *const connecting[] = {"bind", "connect"};
// Calls with sockets that such a program makes besides.
static const char *const receiving[] = {
    "getpeername", "getsockname", "getsockopt", "recvfrom", "recvmmsg", "sendmmsg", "sendto", "setsockopt", "shutdown",
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

// A filter under construction, and its first error.
typedef struct {
    const qz_seccomp *library;
    scmp_filter_ctx context;
    int error;
} filter;

static void rule(
    filter *made, uint32_t action, const char *name, unsigned count, const struct scmp_arg_cmp *conditions
) {
    int number = made->library->seccomp_syscall_resolve_name(name);
    // The number is negative if this architecture does not have the call.
    if (number < 0) return;
    int error = made->library->seccomp_rule_add_array(made->context, action, number, count, conditions);
    if (error && !made->error) made->error = error;
}

static void rules(filter *made, uint32_t action, const char *const *names, size_t count) {
    for (size_t index = 0; index < count; index++) rule(made, action, names[index], 0, NULL);
}

// Allows a call if the bits `mask` of an argument have the value `bits`.
static void allow_if(filter *made, const char *name, unsigned argument, uint64_t mask, uint64_t bits) {
    struct scmp_arg_cmp condition = {argument, SCMP_CMP_MASKED_EQ, mask, bits};
    rule(made, SCMP_ACT_ALLOW, name, 1, &condition);
}

static void allow_values(filter *made, const char *name, unsigned argument, const uint64_t *values, size_t count) {
    for (size_t index = 0; index < count; index++) allow_if(made, name, argument, UINT32_MAX, values[index]);
}

// Returns the instructions of a filter, which are never freed; NULL on failure.
static const struct sock_fprog *instructions(const filter *made) {
    // A pipe and not a file in memory, to which a limit on the size of files (ulimit -f) applies. The filter fits into a
    // pipe; the kernel does not take one that is cut off.
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return NULL;
    struct sock_fprog *program = malloc(sizeof *program);
    struct sock_filter *list = calloc(BPF_MAXINSNS, sizeof *list);
    ssize_t size = -1;
    if (program && list && made->library->seccomp_export_bpf(made->context, ends[1]) == 0) {
        size = read(ends[0], list, BPF_MAXINSNS * sizeof *list);
    }
    close(ends[0]);
    close(ends[1]);
    if (size <= 0) {
        free(program);
        free(list);
        return NULL;
    }
    *program = (struct sock_fprog){(unsigned short)((size_t)size / sizeof *list), list};
    return program;
}

// Allows what a program that reads a network camera needs besides: sockets, but none to listen at.
static void allow_network(filter *made, int has_unix_sockets) {
    rules(made, SCMP_ACT_ALLOW, connecting, COUNT(connecting));
    rules(made, SCMP_ACT_ALLOW, receiving, COUNT(receiving));
    static const uint64_t families[] = {AF_INET, AF_INET6};
    allow_values(made, "socket", 0, families, COUNT(families));
    if (has_unix_sockets) allow_if(made, "socket", 0, UINT32_MAX, AF_UNIX);
    // For the addresses of this machine; other protocols of the family change the settings of the kernel.
    struct scmp_arg_cmp route[] = {{0, SCMP_CMP_EQ, AF_NETLINK, 0}, {2, SCMP_CMP_EQ, 0 /* NETLINK_ROUTE */, 0}};
    rule(made, SCMP_ACT_ALLOW, "socket", COUNT(route), route);
    // Without waiting, and the name and the index of an interface.
    static const uint64_t requests[] = {FIONBIO, SIOCGIFNAME, SIOCGIFINDEX};
    allow_values(made, "ioctl", 1, requests, COUNT(requests));
}

static const struct sock_fprog *make_filter(int is_worker, qz_program_kind kind, uint32_t on_attack) {
    const qz_seccomp *library = qz_seccomp_load();
    if (!library) return NULL;
    // The API level of Linux 4.14. Otherwise libseccomp probes for it with seccomp(2), for which the filter of a
    // systemd service kills the process: @system-service does not contain that call.
    library->seccomp_api_set(3);
    filter made = {.library = library, .context = library->seccomp_init(SCMP_ACT_ERRNO(ENOSYS))};
    if (!made.context) return NULL;
    rules(&made, SCMP_ACT_ALLOW, harmless, COUNT(harmless));
    rules(&made, on_attack, hostile, COUNT(hostile));
    int receives = kind == QZ_RECEIVES || kind == QZ_RECEIVES_LOCAL;
    if (receives) {
        allow_network(&made, kind == QZ_RECEIVES_LOCAL);
    } else {
        rules(&made, on_attack, connecting, COUNT(connecting));
    }
    if (is_worker) {
        rules(&made, on_attack, hostile_in_worker, COUNT(hostile_in_worker));
    } else {
        // Any other program that it starts this way stays under the same filter.
        rule(&made, SCMP_ACT_ALLOW, "execve", 0, NULL);
        rule(&made, SCMP_ACT_ALLOW, "arch_prctl", 0, NULL);
    }
    // Files may be opened for reading. The flags are the second argument of open and the third of openat; those of
    // openat2 are in memory, where a filter cannot see them.
    if (kind == QZ_WRITES) {
        rule(&made, SCMP_ACT_ALLOW, "open", 0, NULL);
        rule(&made, SCMP_ACT_ALLOW, "openat", 0, NULL);
        // Reserves room in an open file before it is overwritten.
        rule(&made, SCMP_ACT_ALLOW, "fallocate", 0, NULL);
    } else {
        uint64_t writing = O_ACCMODE | O_CREAT | O_TRUNC;
        allow_if(&made, "open", 1, writing, O_RDONLY);
        allow_if(&made, "openat", 2, writing, O_RDONLY);
    }
    // Threads, but no processes or namespaces. The flags of clone3 are in memory too: it fails with ENOSYS, and the C
    // library calls clone.
    uint64_t namespaces =
        CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    allow_if(&made, "clone", 0, CLONE_THREAD | namespaces, CLONE_THREAD);
    // Only a signal from this process to itself, for abort().
    if (is_worker) allow_if(&made, "tgkill", 0, UINT32_MAX, (uint64_t)getpid());
    // Limits may be read but not set: the third argument has the new ones.
    allow_if(&made, "prlimit64", 2, UINT64_MAX, 0);
    // Not F_SETOWN and F_SETSIG, which send signals to other processes.
    static const uint64_t descriptors[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};
    allow_values(&made, "fcntl", 1, descriptors, COUNT(descriptors));
    // Not TIOCSTI, which types into the terminal of the user. The first is that of isatty().
    static const uint64_t requests[] = {0x5401 /* TCGETS */, FIONREAD};
    allow_values(&made, "ioctl", 1, requests, COUNT(requests));
    // The names of threads and of memory.
    static const uint64_t names[] = {PR_SET_NAME, PR_GET_NAME, 0x53564d41 /* PR_SET_VMA */};
    allow_values(&made, "prctl", 0, names, COUNT(names));
    const struct sock_fprog *program = made.error ? NULL : instructions(&made);
    library->seccomp_release(made.context);
    return program;
}

// Uses prctl and not seccomp(2), see above; it applies to this thread, which is the only one.
static int apply(const struct sock_fprog *program) {
    return program && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, 2 /* SECCOMP_MODE_FILTER */, program, 0, 0) == 0;
}

const void *qz_sandbox_program_filter(qz_program_kind kind) { return make_filter(0, kind, SCMP_ACT_KILL_PROCESS); }

int qz_sandbox_filter_calls(int writes, int raises) {
    return apply(make_filter(1, writes ? QZ_WRITES : QZ_READS, raises ? SCMP_ACT_TRAP : SCMP_ACT_KILL_PROCESS));
}

int qz_sandbox_can_filter_calls(void) {
    // A filter at address NULL fails with EFAULT only if filters are allowed.
    return qz_seccomp_load() && prctl(PR_SET_SECCOMP, 2 /* SECCOMP_MODE_FILTER */, NULL, 0, 0) != 0 && errno == EFAULT;
}

// MARK: Landlock

// linux/landlock.h of Debian 12 lacks some of these declarations.
struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct path_rule {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_FOLDER = 1 << 3,
    MAKE_REGULAR = 1 << 8,
    TRUNCATE = 1 << 14,
    // The rights of the versions of Landlock: 13, then links between folders, truncation, and ioctl of devices.
    RIGHTS_1 = (1 << 13) - 1,
    RIGHTS_2 = (1 << 14) - 1,
    RIGHTS_3 = (1 << 15) - 1,
    RIGHTS_5 = (1 << 16) - 1,
    // To bind a socket of TCP, and to connect it.
    BIND = 1 << 0,
    CONNECT = 1 << 1,
    // Abstract Unix sockets, and signals to processes outside.
    SCOPES = 3,
    // Rights that apply to a file, not a folder.
    FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE,
};

static int kernel_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, 1u /* LANDLOCK_CREATE_RULESET_VERSION */);
    return version < 0 ? 0 : (int)version;
}

// The version of Landlock; 0 if the kernel lacks it. Under a filter a child process asks for it, because the filter of
// a systemd service may kill it: @system-service contains the calls of Landlock in newer releases only.
static int landlock_version(void) {
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0) return kernel_landlock_version();
    pid_t process = fork();
    if (process == 0) _exit(kernel_landlock_version());
    int status = 0;
    if (process < 0) return 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return 0;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int qz_sandbox_can_restrict_paths(void) { return landlock_version() > 0; }

static void allow_file(int rules, int file, uint64_t rights) {
    struct stat status;
    if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) rights &= FILE_RIGHTS;
    struct path_rule rule = {.allowed = rights, .folder = file};
    syscall(SYS_landlock_add_rule, rules, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0u);
}

static void allow_path(int rules, const char *path, uint64_t rights) {
    // A path that does not exist on this system needs no rule.
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return;
    allow_file(rules, file, rights);
    close(file);
}

// Allows the folders in which the loader looks for libraries, where codecs may be: those of the program, which an archive
// brings along, and of LD_LIBRARY_PATH.
static void allow_library_folders(int rules) {
    void *program = dlopen(NULL, RTLD_NOW);
    Dl_serinfo size;
    if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return;
    Dl_serinfo *folders = malloc(size.dls_size);
    if (!folders) return;
    // The list is filled up to the size that stands in it.
    if (dlinfo(program, RTLD_DI_SERINFOSIZE, folders) == 0 && dlinfo(program, RTLD_DI_SERINFO, folders) == 0) {
        for (unsigned index = 0; index < folders->dls_cnt; index++) {
            allow_path(rules, folders->dls_serpath[index].dls_name, READ_FILE | READ_FOLDER);
        }
    }
    free(folders);
}

// Allows the programs where PATH has them, besides the usual folders.
static void allow_programs(int rules, const char *const *programs) {
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        size_t length = strcspn(folder, ":");
        for (size_t index = 0; *folder == '/' && programs[index]; index++) {
            char path[PATH_MAX];
            int size = snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, programs[index]);
            if (size > 0 && size < (int)sizeof path) allow_path(rules, path, EXECUTE | READ_FILE);
        }
        folder += length + (folder[length] == ':');
    }
}

// Makes rules that forbid all but libraries, programs, and the files that may be read, and of the network `forbidden`.
// Returns -1 without Landlock, and sets `known` to the rights that the kernel knows.
static int make_rules(const char *readable, const char *const *programs, uint64_t forbidden, uint64_t *known) {
    int version = landlock_version();
    if (version < 1) return -1;
    struct ruleset all = {
        .files = version >= 5 ? RIGHTS_5 : version >= 3 ? RIGHTS_3 : version >= 2 ? RIGHTS_2 : RIGHTS_1,
        .network = version >= 4 ? forbidden : 0,
        .scopes = version >= 6 ? SCOPES : 0,
    };
    size_t size = version >= 6 ? sizeof all : version >= 4 ? offsetof(struct ruleset, scopes) : sizeof all.files;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0u);
    if (rules < 0) return -1;
    *known = all.files;
    uint64_t reading = READ_FILE | READ_FOLDER;
    if (readable) {
        // Codecs, fonts, character sets, the number of processors; not /proc, which shows other processes.
        static const char *const system[] = {
            "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/local/lib", "/usr/share", "/usr/local/share",
            "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime",
            "/etc/nsswitch.conf", "/etc/papersize", "/etc/xpdf", "/var/cache/fontconfig", "/sys/devices/system/cpu",
            "/dev/null", "/dev/urandom",
        };
        for (size_t index = 0; index < COUNT(system); index++) allow_path(rules, system[index], reading);
        allow_library_folders(rules);
        allow_path(rules, readable, reading);
    } else {
        allow_path(rules, "/", reading);
    }
    // The programs that read documents, and the loader with which the kernel starts them.
    static const char *const folders[] = {"/usr/bin", "/usr/local/bin", "/usr/lib", "/lib", "/lib64"};
    for (size_t index = 0; index < COUNT(folders); index++) allow_path(rules, folders[index], EXECUTE | reading);
    allow_programs(rules, programs);
    return rules;
}

static int enter(int rules) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, rules, 0u) == 0;
}

int qz_sandbox_restrict_paths(const char *readable, const char *writable, const char *const *programs) {
    uint64_t known;
    int rules = make_rules(readable, programs, BIND | CONNECT, &known);
    if (rules < 0) return 0;
    if (writable) {
        uint64_t writing = WRITE_FILE | MAKE_REGULAR | READ_FILE | READ_FOLDER | TRUNCATE;
        allow_path(rules, writable, writing & known);
    }
    int is_restricted = enter(rules);
    close(rules);
    return is_restricted;
}

int qz_sandbox_writer_paths(char *const *arguments, int document, int output) {
    uint64_t known;
    const char *const programs[] = {arguments[0], NULL};
    int rules = make_rules("/dev/null", programs, BIND | CONNECT, &known);
    if (rules < 0) return -1;
    allow_file(rules, document, READ_FILE);
    allow_file(rules, output, (READ_FILE | WRITE_FILE | TRUNCATE) & known);
    return rules;
}

int qz_sandbox_receiver_paths(char *const *arguments) {
    // The addresses of host names, and the certificates of authorities in Debian and in Fedora.
    static const char *const readable[] = {
        "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols",
        "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/gnutls", "/etc/crypto-policies", "/etc/pki/tls/certs",
        "/etc/pki/tls/openssl.cnf", "/etc/pki/ca-trust/extracted",
    };
    uint64_t known;
    const char *const programs[] = {arguments[0], NULL};
    int rules = make_rules("/dev/null", programs, BIND, &known);
    if (rules < 0) return -1;
    for (size_t index = 0; index < COUNT(readable); index++) {
        allow_path(rules, readable[index], READ_FILE | READ_FOLDER);
    }
    return rules;
}

void qz_sandbox_enter_as_program(const void *made, int paths) {
    if (paths >= 0) enter(paths);
    apply(made);
}
