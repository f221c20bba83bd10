/* UCT on Connect Four, written by hand in C: how fast can this algorithm run at all?
 *
 * The same algorithm as ponder.mcts step by step (untried children first in random order, UCB1
 * with c = 2, one random rollout, mean backup, children made at a node's second visit), the same
 * generator and the same order of random numbers: the visits must be equal to Ponder's. What it
 * does not have: parts that can be exchanged, other board sizes, other players, a memory cap, a
 * clock, a stop button. The rules are 7 x 6 and four in a row, as constants.
 *
 * With -DAHEAD it fetches the children of the best child while it still compares, as Ponder does.
 *
 *     climit SIMULATIONS SEED_WORD  ->  seconds of processor time, nodes, then the visits of columns 1 to 7
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COLUMNS = 7, ROWS = 6, LEVEL = ROWS + 1, CELLS = COLUMNS * ROWS, NUMBERS = 4096 };

typedef struct {
    double value;
    int32_t visits, first, action;
    uint16_t count;
    int8_t player;
} Node; /* 24 bytes */

typedef struct {
    uint64_t full, stones[2];
    int ply, winner;
} State;

static struct {
    double inverse, root, log;
} numbers[NUMBERS]; /* 1 / n, sqrt(1 / n), ln n: ready for small n, as in ponder.mcts.tree */

static uint64_t word;

static inline int below(int n) {
    word ^= word >> 12;
    word ^= word << 25;
    word ^= word >> 27;
    return (int)(((word * 2685821657736338717u >> 32) * (uint64_t)n) >> 32);
}

static inline int has_four(uint64_t b) {
    uint64_t v = b & b >> 1, d = b & b >> ROWS, h = b & b >> LEVEL, r = b & b >> (LEVEL + 1);
    return ((v & v >> 2) | (d & d >> 2 * ROWS) | (h & h >> 2 * LEVEL) | (r & r >> 2 * (LEVEL + 1)))
           != 0;
}

static inline void play(State *s, int column) {
    int player = s->ply & 1;
    uint64_t stone = (s->full + ((uint64_t)1 << column * LEVEL)) & ~s->full;
    s->full |= stone;
    s->stones[player] |= stone;
    s->ply++;
    if (has_four(s->stones[player])) s->winner = player;
}

static inline int is_over(const State *s) { return s->winner >= 0 || s->ply == CELLS; }

static inline int has_room(const State *s, int column) {
    return !(s->full >> (column * LEVEL + ROWS - 1) & 1);
}

static int descend(Node *nodes, State *s, int *path, int depth) {
    int at = path[depth];
    while (nodes[at].first >= 0) {
        int first = nodes[at].first, pick = first;
        if (nodes[at].visits <= nodes[at].count) {
            int tried = nodes[at].visits - 1;
            pick = first + tried;
            int other = pick + below(nodes[at].count - tried);
            int action = nodes[pick].action;
            nodes[pick].action = nodes[other].action;
            nodes[other].action = action;
        } else {
            int n = nodes[at].visits;
            double shared = 2.0 * sqrt(n < NUMBERS ? numbers[n].log : log((double)n));
            double best = -1e300;
            for (int child = first; child < first + nodes[at].count; child++) {
                int visits = nodes[child].visits;
                double inverse, root;
                if (visits < NUMBERS) {
                    inverse = numbers[visits].inverse;
                    root = numbers[visits].root;
                } else {
                    inverse = 1.0 / visits;
                    root = sqrt(inverse);
                }
                double score = nodes[child].value * inverse + shared * root;
#ifdef AHEAD
                if (score > best) __builtin_prefetch(nodes + (nodes[child].first > 0 ? nodes[child].first : 0));
#endif
                pick = score > best ? child : pick;
                best = score > best ? score : best;
            }
        }
        int ahead = nodes[pick].first > 0 ? nodes[pick].first : 0;
        __builtin_prefetch(nodes + ahead);
        __builtin_prefetch(nodes + ahead + 3);
        __builtin_prefetch(nodes + ahead + 6);
        play(s, nodes[pick].action);
        path[++depth] = pick;
        at = pick;
    }
    return depth;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    long n = atol(argv[1]);
    word = strtoull(argv[2], NULL, 10);
    Node *nodes = malloc(sizeof(Node) * (COLUMNS * (size_t)n + 1));
    int path[CELLS + 2], size = 1;
    nodes[0] = (Node){0.0, 1, -1, -1, 0, 0};
    for (int i = 1; i < NUMBERS; i++) {
        numbers[i].inverse = 1.0 / i;
        numbers[i].root = sqrt(numbers[i].inverse);
        numbers[i].log = log((double)i);
    }
    struct timespec began, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    for (long i = 0; i < n; i++) {
        State s = {0, {0, 0}, 0, -1};
        path[0] = 0;
        int depth = descend(nodes, &s, path, 0);
        Node *leaf = nodes + path[depth];
        if (leaf->visits > 0 && !is_over(&s)) {
            leaf->first = size;
            for (int column = 0; column < COLUMNS; column++)
                if (has_room(&s, column))
                    nodes[size++] = (Node){0.0, 0, -1, column, 0, (int8_t)(s.ply & 1)};
            leaf->count = (uint16_t)(size - leaf->first);
            depth = descend(nodes, &s, path, depth);
        }
        while (!is_over(&s)) {
            int column = below(COLUMNS);
            if (has_room(&s, column)) play(&s, column);
        }
        double utility[2] = {0.0, 0.0};
        if (s.winner >= 0) utility[s.winner] = 1.0, utility[1 - s.winner] = -1.0;
        for (int d = 0; d <= depth; d++) {
            Node *node = nodes + path[d];
            node->visits++;
            node->value += utility[node->player];
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    double seconds = ended.tv_sec - began.tv_sec + 1e-9 * (ended.tv_nsec - began.tv_nsec);
    printf("%.9f %d", seconds, size);
    for (int column = 0; column < COLUMNS; column++)
        for (int child = nodes[0].first; child < nodes[0].first + nodes[0].count; child++)
            if (nodes[child].action == column) printf(" %d", nodes[child].visits);
    printf("\n");
    return 0;
}
