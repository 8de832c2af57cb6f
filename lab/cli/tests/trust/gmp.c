/* Times one of GMP's calculations in a plain loop, and prints the median of the nanoseconds per call
   over many samples. usage: gmp multiply|invert|powmod BITS */

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 101 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Makes an odd number with its highest bit set. */
static void number(mpz_t n, gmp_randstate_t random, unsigned long bits) {
    mpz_urandomb(n, random, bits);
    mpz_setbit(n, bits - 1);
    mpz_setbit(n, 0);
}

int main(int count, char **words) {
    if (count != 3) return 2;
    const char *what = words[1];
    const unsigned long bits = strtoul(words[2], NULL, 10);
    if (bits < 2) return 2;
    gmp_randstate_t random;
    gmp_randinit_default(random);
    mpz_t a, b, m, r;
    mpz_inits(a, b, m, r, NULL);
    number(m, random, bits);
    do {
        number(a, random, bits);
        mpz_gcd(r, a, m);
    } while (mpz_cmp_ui(r, 1) != 0);
    number(b, random, bits);
    double samples[SAMPLES];
    unsigned long calls = 1;
    for (int sample = 0; sample < SAMPLES;) {
        const double start = now();
        for (unsigned long call = 0; call < calls; call++) {
            if (strcmp(what, "multiply") == 0) mpz_mul(r, a, b);
            else if (strcmp(what, "invert") == 0) mpz_invert(r, a, m);
            else if (strcmp(what, "powmod") == 0) mpz_powm(r, a, b, m);
            else return 2;
        }
        const double ns = now() - start;
        /* A sample is at least as long as one of the lab's. */
        if (sample == 0 && ns < 1e5) {
            calls *= 2;
            continue;
        }
        samples[sample++] = ns / (double)calls;
    }
    qsort(samples, SAMPLES, sizeof samples[0], by_value);
    printf("%.2f\n", samples[SAMPLES / 2]);
    return 0;
}
