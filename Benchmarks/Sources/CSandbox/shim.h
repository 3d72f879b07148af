#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define HOLDFAST_ALLOW(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Forbids input and output for the calling thread. After this call, the kernel kills the process for every system call
   except those for memory, waiting for another thread, waking it up, the clock, random bytes, writing to the standard
   output and exiting. The thread cannot open, look up, read, connect or start anything. A wake-up is a write of eight
   bytes to an eventfd. Files and sockets cannot be opened, so it can only go to one that was open before.
   Returns 0 on success. */
static inline int forbid_input_and_output(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        HOLDFAST_ALLOW(SYS_brk),
        HOLDFAST_ALLOW(SYS_mmap),
        HOLDFAST_ALLOW(SYS_munmap),
        HOLDFAST_ALLOW(SYS_mremap),
        HOLDFAST_ALLOW(SYS_mprotect),
        HOLDFAST_ALLOW(SYS_madvise),
        HOLDFAST_ALLOW(SYS_futex),
        HOLDFAST_ALLOW(SYS_gettid),
        HOLDFAST_ALLOW(SYS_clock_gettime),
        HOLDFAST_ALLOW(SYS_getrandom),
        HOLDFAST_ALLOW(SYS_exit),
        HOLDFAST_ALLOW(SYS_exit_group),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 6),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        HOLDFAST_ALLOW(1),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        HOLDFAST_ALLOW(8),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) { return -1; }
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#endif
