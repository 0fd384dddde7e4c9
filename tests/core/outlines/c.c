#include <stddef.h>

#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct line {
    int price;
    char *name, tag[4];
    struct {
        int inner;
    } nested;
    int (*callback)(int);
};

typedef struct line Line;
typedef struct { int x, y; } point;
typedef struct node { struct node *next; } node;
typedef int (*handler)(int);

enum state { OPEN, PAID = 3 };
union value { int i; float f; };

static const int rates[] = { 7, 19 };
extern int width, *height;

int total(const Line *lines, size_t n);

#ifdef FAST
int total(const Line *lines, size_t n) { return 1; }
#else
int total(const Line *lines, size_t n)
{
    int local = 0;
    return local;
}
#endif

static char **names(void) { return 0; }
