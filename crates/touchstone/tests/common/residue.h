/* A program whose memory residue.rs searches. It reads a secret into pages of its own, calls
 * functions with it, and stops after each call; at the end it unmaps the pages and stops again.
 * The search happens while it is stopped. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* As residue.rs writes it. */
struct request {
    char name[256];
    unsigned char secret[512];
    unsigned char message[8192];
    /* What the calls write. It is unmapped with the secret. */
    unsigned char output[32768];
};

enum { SENT = 256 + 512 + 8192 };

/* The registers that a function may change, as the last call has left them. A lazily bound call
 * of another library would store them on the stack (ld.so's _dl_runtime_resolve_xsave).
 * XSAVE's area needs 64 bytes of alignment. In .data, which residue.rs finds by this program's
 * name in /proc/PID/maps. */
__attribute__((aligned(64))) unsigned char registers[8192] = {1};

void save_registers(void);
__asm__(".text\n"
        "save_registers:\n"
        "lea registers(%rip), %rax\n"
        "mov %rcx, 4096(%rax)\n"
        "mov %rsi, 4104(%rax)\n"
        "mov %rdi, 4112(%rax)\n"
        "mov %r8, 4120(%rax)\n"
        "mov %r9, 4128(%rax)\n"
        "mov %r10, 4136(%rax)\n"
        "mov %r11, 4144(%rax)\n"
        "mov %rax, %rsi\n"
        /* [SDM] vol. 1 section 13.1: SSE, AVX, masks, upper halves, registers 16 to 31. */
        "mov $0xe6, %eax\n"
        "mov %rdx, 4152(%rsi)\n"
        "xor %edx, %edx\n"
        "xsave64 (%rsi)\n"
        "ret\n");

/* Stops until the search has finished. */
static void stop(char why)
{
    char go;
    if (write(1, &why, 1) != 1 || read(0, &go, 1) != 1)
        exit(9);
}

#define CALL(call)                                                                          \
    do {                                                                                    \
        int error_ = (int)(call);                                                           \
        save_registers();                                                                   \
        if (error_) {                                                                       \
            fprintf(stderr, "%s: %s gives %d\n", r->name, #call, error_);                   \
            exit(8);                                                                        \
        }                                                                                   \
        stop('c');                                                                          \
    } while (0)

static void work(struct request *r);

int main(void)
{
    for (;;) {
        size_t done = 0;
        ssize_t n;
        struct request *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (r == MAP_FAILED)
            return 7;
        while (done < SENT) {
            n = read(0, (char *)r + done, SENT - done);
            if (n <= 0)
                return n != 0;
            done += (size_t)n;
        }
        work(r);
        munmap(r, sizeof *r);
        stop('d');
    }
}
