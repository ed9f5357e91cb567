#include "base/pool.h"

#include "base/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#define MAX_THREADS 256

struct mw_pool {
	int threads; /* the caller included */
	int started; /* workers that run, without the caller */
	pthread_t *worker;
	mw_ctx *owner; /* for the allocator */

	pthread_mutex_t lock;
	pthread_cond_t go, done;
	uint64_t round;  /* one more per mw_pool_for */
	int running;     /* workers still in the current round */
	int next_worker; /* hands out worker numbers within a round */
	bool quit;

	/* the current job */
	mw_pool_fn fn;
	void *ud;
	size_t n, grain, ranges;
	const mw_ctx *parent;
	atomic_size_t next; /* next range to hand out */
	atomic_size_t stop; /* ranges from here on need not start: one below has failed */
	size_t failed;      /* lowest range that failed, under lock */
	mw_err err;
};

static void run_ranges(mw_pool *pool, int worker)
{
	mw_ctx child;

	mw_ctx_child(&child, pool->parent);
	for (;;) {
		size_t i = atomic_fetch_add(&pool->next, 1), first, last;

		if (i >= atomic_load(&pool->stop))
			return;
		first = i * pool->grain;
		last = pool->n - first < pool->grain ? pool->n : first + pool->grain;
		if (pool->fn(&child, pool->ud, first, last, worker) == MW_OK)
			continue;
		pthread_mutex_lock(&pool->lock);
		if (i < pool->failed) {
			pool->failed = i;
			pool->err = child.err;
			atomic_store(&pool->stop, i);
		}
		pthread_mutex_unlock(&pool->lock);
		mw_err_clear(&child);
	}
}

static void *work(void *arg)
{
	mw_pool *pool = arg;
	uint64_t seen = 0;

	pthread_mutex_lock(&pool->lock);
	for (;;) {
		int worker;

		while (!pool->quit && pool->round == seen)
			pthread_cond_wait(&pool->go, &pool->lock);
		if (pool->quit)
			break;
		seen = pool->round;
		worker = pool->next_worker++;
		pthread_mutex_unlock(&pool->lock);
		run_ranges(pool, worker);
		pthread_mutex_lock(&pool->lock);
		if (--pool->running == 0)
			pthread_cond_signal(&pool->done);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

mw_pool *mw_pool_new(mw_ctx *cx, int threads)
{
	mw_pool *pool = mw_zalloc(cx, sizeof *pool);

	if (!pool)
		return NULL;
	if (threads <= 0) {
		long online = sysconf(_SC_NPROCESSORS_ONLN);

		threads = online < 1 ? 1 : (int)online;
	}
	pool->owner = cx;
	pool->threads = threads > MAX_THREADS ? MAX_THREADS : threads;
	pool->worker = mw_zalloc_n(cx, (size_t)pool->threads, sizeof *pool->worker);
	if (!pool->worker) {
		mw_free(cx, pool);
		return NULL;
	}
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->go, NULL);
	pthread_cond_init(&pool->done, NULL);
	/* Signals are for the calling thread, which knows when it may be interrupted. */
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	/* A machine that refuses a thread just gets fewer: results do not depend on the number. */
	while (pool->started < pool->threads - 1 &&
		pthread_create(&pool->worker[pool->started], NULL, work, pool) == 0)
		pool->started++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pool->threads = pool->started + 1;
	return pool;
}

void mw_pool_free(mw_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->quit = true;
	pthread_cond_broadcast(&pool->go);
	pthread_mutex_unlock(&pool->lock);
	for (int i = 0; i < pool->started; i++)
		pthread_join(pool->worker[i], NULL);
	pthread_cond_destroy(&pool->done);
	pthread_cond_destroy(&pool->go);
	pthread_mutex_destroy(&pool->lock);
	mw_free(pool->owner, pool->worker);
	mw_free(pool->owner, pool);
}

int mw_pool_threads(const mw_pool *pool)
{
	return pool ? pool->threads : 1;
}

static mw_code run_inline(mw_ctx *cx, size_t n, size_t grain, mw_pool_fn fn, void *ud)
{
	mw_ctx child;

	mw_ctx_child(&child, cx);
	for (size_t first = 0; first < n;) {
		size_t last = n - first < grain ? n : first + grain;

		if (fn(&child, ud, first, last, 0) != MW_OK)
			return mw_ctx_adopt(cx, &child);
		first = last;
	}
	return MW_OK;
}

mw_code mw_pool_for(mw_ctx *cx, size_t n, size_t grain, mw_pool_fn fn, void *ud)
{
	mw_pool *pool = cx->pool;
	size_t ranges = n / grain + (n % grain != 0);

	if (!pool || pool->started == 0 || ranges < 2)
		return run_inline(cx, n, grain, fn, ud);
	pthread_mutex_lock(&pool->lock);
	pool->fn = fn;
	pool->ud = ud;
	pool->n = n;
	pool->grain = grain;
	pool->ranges = ranges;
	pool->parent = cx;
	pool->failed = ranges;
	atomic_store(&pool->next, 0);
	atomic_store(&pool->stop, ranges);
	pool->running = pool->started;
	pool->next_worker = 1;
	pool->round++;
	pthread_cond_broadcast(&pool->go);
	pthread_mutex_unlock(&pool->lock);

	run_ranges(pool, 0);

	pthread_mutex_lock(&pool->lock);
	while (pool->running)
		pthread_cond_wait(&pool->done, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
	if (pool->failed < ranges && cx->err.code == MW_OK)
		cx->err = pool->err;
	return pool->failed < ranges ? cx->err.code : MW_OK;
}
