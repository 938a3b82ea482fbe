/* Tries what code could try that has taken over a process that decodes pictures.
 *
 * QUIETZONE_ATTEMPT names the attempt. It is made when libpng begins to read a picture, or when the program whose name
 * is in QUIETZONE_ATTEMPT_PROGRAM starts. Standard error, or the descriptor QUIETZONE_ATTEMPT_OUTPUT, then says
 * "allowed" or "refused", and the picture is decoded; the program ends. With QUIETZONE_ATTEMPT_STATUS, the process ends
 * with that status if the attempt is allowed, and says nothing.
 * QUIETZONE_ATTEMPT_FILE is a file that exists.
 *
 * QUIETZONE_MISSING_LIBRARY names a library that dlopen() does not find. With QUIETZONE_WITHOUT_LANDLOCK the kernel seems
 * to have no Landlock.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *file;

static int opens(const char *path, int flags) {
    int descriptor = open(path, flags, 0600);
    if (descriptor >= 0) close(descriptor);
    return descriptor >= 0;
}

static char *beside(const char *end) {
    static char path[4096];
    snprintf(path, sizeof path, "%s%s", file, end);
    return path;
}

static void *nothing(void *argument) { return argument; }

/* A child that ends at once. */
static int ends(long child) {
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return child > 0;
}

static int create_file(void) { return opens(beside(".new"), O_WRONLY | O_CREAT); }
static int create_file_for_reading(void) { return opens(beside(".new"), O_RDONLY | O_CREAT); }
static int write_file(void) { return opens(file, O_WRONLY); }
static int read_and_write_file(void) { return opens(file, O_RDWR); }
static int truncate_file(void) { return opens(file, O_RDONLY | O_TRUNC); }
static int truncate_path(void) { return truncate(file, 0) == 0; }
static int unnamed_file(void) { return opens("/tmp", O_WRONLY | O_TMPFILE); }
static int openat2_file(void) {
    struct { uint64_t flags, mode, resolve; } how = {O_WRONLY, 0, 0};
    return syscall(437, AT_FDCWD, file, &how, sizeof how) >= 0;
}
static int delete_file(void) { return unlink(file) == 0; }
static int rename_file(void) { return rename(file, beside(".old")) == 0; }
static int link_file(void) { return link(file, beside(".link")) == 0; }
static int symbolic_link(void) { return symlink("/etc", beside(".symbolic")) == 0; }
static int make_folder(void) { return mkdir(beside(".folder"), 0700) == 0; }
static int change_mode(void) { return chmod(file, 0777) == 0; }
static int read_elsewhere(void) { return opens("/etc/passwd", O_RDONLY); }
static int read_environment_of_parent(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    return opens(path, O_RDONLY);
}
static int read_file(void) { return opens(file, O_RDONLY); }
static int internet_socket(void) { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }
static int unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }
static int pair_of_sockets(void) {
    int both[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0;
}
static int fork_process(void) { return ends(fork()); }
static int raw_fork(void) { return ends(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static int clone3_process(void) {
    uint64_t arguments[8] = {[4] = SIGCHLD};
    return ends(syscall(435, arguments, sizeof arguments));
}
static int start_program(void) {
    /* With its arguments, which are not those of a worker. */
    execl("/bin/echo", "echo", "allowed", NULL);
    return 0;
}
static int start_from_memory(void) {
    char *arguments[] = {"echo", NULL};
    syscall(SYS_execveat, memfd_create("program", 0), "", arguments, environ, AT_EMPTY_PATH);
    return errno != ENOSYS && errno != EPERM;
}
static int thread(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}
static int trace_parent(void) { return ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0; }
static int read_parent(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)&file, 1};
    return process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1 || errno == EFAULT;
}
static int signal_parent(void) { return kill(getppid(), 0) == 0; }
static int signal_parent_by_thread(void) { return syscall(SYS_tgkill, getppid(), getppid(), 0) == 0; }
static int signal_by_descriptor(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", (int)getpid());
    return syscall(424, open(path, O_RDONLY | O_DIRECTORY), 0, NULL, 0) == 0;
}
static int signal_owner_of_pipe(void) { return fcntl(1, F_SETOWN, getppid()) == 0; }
static int limits_of_parent(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_CORE, &limit) == 0 && prlimit(getppid(), RLIMIT_CORE, &limit, NULL) == 0;
}
static int io_ring(void) {
    char parameters[256] = "";
    return syscall(425, 1, parameters) >= 0;
}
static int user_namespace(void) { return unshare(CLONE_NEWUSER) == 0; }
static int kernel_program(void) {
    char attributes[128] = "";
    return syscall(SYS_bpf, 0, attributes, sizeof attributes) >= 0 || errno == EINVAL;
}

/* A request to the helper that starts the programs of documents, as qz_process.c has it. */
struct request {
    pid_t process;
    struct { int kind; size_t memory; unsigned seconds; size_t output; } limits;
    char text[2048];
};

/* Sends `size` bytes of a request with `count` descriptors; true if the helper does what it asks for. */
static int helper_does(const void *request, size_t size, int count) {
    int helper = 3;
    struct stat status;
    while (helper < 256 && (fstat(helper, &status) != 0 || !S_ISSOCK(status.st_mode))) helper++;
    union { struct cmsghdr head; char bytes[CMSG_SPACE(16 * sizeof(int))]; } sent = {.bytes = {0}};
    struct iovec part = {(void *)request, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = &sent;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        sent.head = (struct cmsghdr){CMSG_LEN(count * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        int nothing = open("/dev/null", O_RDONLY);
        int *descriptors = (int *)(void *)CMSG_DATA(&sent.head);
        for (int index = 0; index < count; index++) descriptors[index] = nothing;
    }
    struct { int code, value; } answer = {-1, 0};
    struct iovec returned = {&answer, sizeof answer};
    struct msghdr back = {.msg_iov = &returned, .msg_iovlen = 1};
    if (sendmsg(helper, &message, MSG_NOSIGNAL) < 0) return 0;
    return recvmsg(helper, &back, 0) == sizeof answer && answer.code == 0;
}

/* Asks for a program with `count` arguments. */
static int helper_starts(const char *program, int count) {
    struct request request = {.limits = {0, 1 << 28, 5, 0}};
    size_t length = strlen(strcpy(request.text, program)) + 1;
    for (int index = 0; index < count; index++, length += 3) strcpy(request.text + length, "-v");
    return helper_does(&request, sizeof request, 3);
}

static struct request pdfinfo(void) { return (struct request){.limits = {0, 1 << 28, 5, 0}, .text = "pdfinfo\0-v"}; }

/* One that may connect to servers. */
static int helper_other_kind(void) {
    struct request request = pdfinfo();
    request.limits.kind = 2;
    return helper_does(&request, sizeof request, 3);
}

static int helper_program(void) { return helper_starts("pdfinfo", 1); }
static int helper_most_arguments(void) { return helper_starts("pdfinfo", 23); }
static int helper_too_many_arguments(void) { return helper_starts("pdfinfo", 24); }
static int helper_other_program(void) { return helper_starts("echo", 1); }
static int helper_program_by_path(void) { return helper_starts("/usr/bin/pdfinfo", 1); }
static int helper_program_outside(void) { return helper_starts("../../usr/bin/pdfinfo", 1); }
static int helper_no_program(void) { return helper_starts("", 0); }
static int helper_argument_without_end(void) {
    struct request request = pdfinfo();
    memset(request.text + 8, 'v', sizeof request.text - 8);
    return helper_does(&request, sizeof request, 3);
}
static int helper_argument_to_the_end(void) {
    struct request request = pdfinfo();
    memset(request.text + 8, 'v', sizeof request.text - 9);
    return helper_does(&request, sizeof request, 3);
}
static int helper_no_descriptors(void) {
    struct request request = pdfinfo();
    return helper_does(&request, sizeof request, 0);
}
static int helper_many_descriptors(void) {
    struct request request = pdfinfo();
    return helper_does(&request, sizeof request, 16);
}
static int helper_ends_parent(void) {
    struct request request = {.process = getppid()};
    return helper_does(&request, sizeof request, 0);
}
static int helper_ends_all(void) {
    struct request request = {.process = -1};
    return helper_does(&request, sizeof request, 0);
}
static int helper_after_refusal(void) {
    return !helper_other_program() && !helper_argument_without_end() && !helper_ends_all() && helper_program();
}
static int helper_half_message(void) {
    struct request request = pdfinfo();
    return helper_does(&request, sizeof request / 2, 3);
}
static int helper_long_message(void) {
    struct request requests[2] = {pdfinfo(), pdfinfo()};
    return helper_does(requests, sizeof requests, 3);
}
static int helper_after_half_message(void) { return helper_half_message() || helper_program(); }
static int helper_after_long_message(void) { return helper_long_message() || helper_program(); }

static const struct {
    const char *name;
    int (*make)(void);
} attempts[] = {
#define ATTEMPT(name) {#name, name},
    ATTEMPT(create_file) ATTEMPT(create_file_for_reading) ATTEMPT(write_file) ATTEMPT(read_and_write_file)
    ATTEMPT(truncate_file) ATTEMPT(truncate_path) ATTEMPT(unnamed_file) ATTEMPT(openat2_file) ATTEMPT(delete_file)
    ATTEMPT(rename_file) ATTEMPT(link_file) ATTEMPT(symbolic_link) ATTEMPT(make_folder) ATTEMPT(change_mode)
    ATTEMPT(read_elsewhere) ATTEMPT(read_environment_of_parent) ATTEMPT(read_file) ATTEMPT(internet_socket)
    ATTEMPT(unix_socket) ATTEMPT(pair_of_sockets) ATTEMPT(fork_process) ATTEMPT(raw_fork) ATTEMPT(clone3_process)
    ATTEMPT(start_program) ATTEMPT(start_from_memory) ATTEMPT(thread) ATTEMPT(trace_parent) ATTEMPT(read_parent)
    ATTEMPT(signal_parent) ATTEMPT(signal_parent_by_thread) ATTEMPT(signal_by_descriptor)
    ATTEMPT(signal_owner_of_pipe) ATTEMPT(limits_of_parent) ATTEMPT(io_ring) ATTEMPT(user_namespace)
    ATTEMPT(kernel_program)
    ATTEMPT(helper_program) ATTEMPT(helper_most_arguments) ATTEMPT(helper_too_many_arguments)
    ATTEMPT(helper_other_kind) ATTEMPT(helper_other_program)
    ATTEMPT(helper_program_by_path) ATTEMPT(helper_program_outside)
    ATTEMPT(helper_no_program) ATTEMPT(helper_argument_without_end) ATTEMPT(helper_argument_to_the_end)
    ATTEMPT(helper_no_descriptors) ATTEMPT(helper_many_descriptors) ATTEMPT(helper_ends_parent)
    ATTEMPT(helper_ends_all) ATTEMPT(helper_after_refusal) ATTEMPT(helper_half_message) ATTEMPT(helper_long_message)
    ATTEMPT(helper_after_half_message) ATTEMPT(helper_after_long_message)
};

static void attempt(void) {
    const char *name = getenv("QUIETZONE_ATTEMPT");
    file = getenv("QUIETZONE_ATTEMPT_FILE");
    for (size_t index = 0; name && index < sizeof attempts / sizeof *attempts; index++) {
        if (strcmp(attempts[index].name, name)) continue;
        /* A program that is started would make it again. */
        unsetenv("QUIETZONE_ATTEMPT");
        errno = 0;
        const char *output = getenv("QUIETZONE_ATTEMPT_OUTPUT");
        const char *status = getenv("QUIETZONE_ATTEMPT_STATUS");
        int is_allowed = attempts[index].make();
        if (status && is_allowed) _exit(atoi(status));
        if (!status) dprintf(output ? atoi(output) : 2, "%s\n", is_allowed ? "allowed" : "refused");
    }
}

__attribute__((constructor)) static void start(void) {
    const char *program = getenv("QUIETZONE_ATTEMPT_PROGRAM");
    if (!program || strcmp(program, program_invocation_short_name)) return;
    attempt();
    /* A program that fails has its messages in the report. */
    _exit(1);
}

void *png_create_read_struct(const char *version, void *error, void *failed, void *warned) {
    if (!getenv("QUIETZONE_ATTEMPT_PROGRAM")) attempt();
    void *(*real)(const char *, void *, void *, void *) = dlsym(RTLD_NEXT, "png_create_read_struct");
    return real(version, error, failed, warned);
}

long syscall(long number, ...) {
    if (number == SYS_landlock_create_ruleset && getenv("QUIETZONE_WITHOUT_LANDLOCK")) {
        errno = ENOSYS;
        return -1;
    }
    long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
    va_list list;
    va_start(list, number);
    long values[6];
    for (int index = 0; index < 6; index++) values[index] = va_arg(list, long);
    va_end(list);
    return real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

void *dlopen(const char *name, int flags) {
    const char *missing = getenv("QUIETZONE_MISSING_LIBRARY");
    if (missing && name && !strcmp(missing, name)) return NULL;
    void *(*real)(const char *, int) = dlsym(RTLD_NEXT, "dlopen");
    return real(name, flags);
}
