import type { OperationId } from '../../source/fleet/operations/operation.ts';

/** How the next requests that change something end: done, refused with this status, or lost. */
export type ChangeFate =
	| 'done'
	| 400
	| 401
	| 402
	| 403
	| 404
	| 409
	| 429
	| 500
	| 'cutBefore'
	| 'cutAfter'
	| 'hang';

export type SentChange = { operation: OperationId; id: string | undefined; fate: ChangeFate };

/** How the next reads end. */
export type ReadFate = 'answer' | 'cut' | 'hang' | 401 | 500;

type Computer = { sandbox_id: string; name: string; status: string; ports: readonly number[] };

/** A platform without a network: thousands of steps take seconds, and every run is the same. */
export function createPretendPlatform(onSent: (sent: SentChange) => void) {
	const computers = new Map<string, Computer>();
	let created = 0;
	let fate: ChangeFate = 'done';
	let readFate: ReadFate = 'answer';

	function add(name: string): string {
		created += 1;
		const id = `sb_${created}`;
		computers.set(id, { sandbox_id: id, name, status: 'active', ports: [] });
		return id;
	}

	function change(id: string, status: string) {
		const computer = computers.get(id);
		if (computer) computers.set(id, { ...computer, status });
	}

	function act(
		{ operation, id = '' }: SentChange,
		body: { name?: string; port?: number },
	): unknown {
		if (operation === 'create') return { data: computers.get(add(body.name ?? '')) };
		if (operation === 'delete') computers.delete(id);
		const ports = operation === 'publish' ? [body.port ?? 0] : [];
		const known = computers.get(id);
		if (known && operation.endsWith('publish')) computers.set(id, { ...known, ports });
		change(id, statusAfter[operation] ?? known?.status ?? '');
		return { success: true };
	}

	function answer(request: { method: string; path: string; body: string; signal: AbortSignal }) {
		const { method, path, body, signal } = request;
		if (path.includes('/auth/')) return signedIn();
		const sent = sentChangeFrom(method, path, readFate === 401 ? 401 : fate);
		if (!sent) return answerRead(path, signal);
		onSent(sent);
		if (sent.fate === 'hang') return hanging(signal);
		if (sent.fate === 'cutBefore') return broken();
		if (typeof sent.fate === 'number') return refused(sent.fate);
		const done = act(sent, JSON.parse(body || '{}'));
		return sent.fate === 'cutAfter' ? broken() : json(200, done);
	}

	function signedIn(): Response {
		if (readFate === 401) return json(400, { error_code: 'invalid_credentials' });
		return json(200, { access_token: 'token', expires_in: 1e9 });
	}

	function answerRead(path: string, signal: AbortSignal): Response | Promise<never> {
		if (readFate === 'answer') return contentOf(path);
		if (readFate === 'cut') return broken();
		return readFate === 'hang' ? hanging(signal) : refused(readFate);
	}

	function contentOf(path: string): Response {
		const [, id = '', isStatus] = path.match(/\/sandbox\/([^/]+)(\/status)?$/) ?? [];
		if (path.endsWith('/sandbox')) return json(200, { data: [...computers.values()] });
		const computer = computers.get(id);
		if (!computer) return json(404, { status: 'not_found', error: 'not there' });
		const { status } = computer;
		return json(200, isStatus ? { status } : { data: computer });
	}

	return {
		computers,
		add,
		change,
		fetch: (async (url, init) => {
			const { pathname } = new URL(String(url));
			const { method = 'GET', body, signal } = init ?? {};
			if (signal?.aborted) throw signal.reason;
			const own = signal ?? new AbortController().signal;
			return answer({ method, path: pathname, body: String(body ?? ''), signal: own });
		}) satisfies typeof fetch,
		setFate(next: ChangeFate) {
			fate = next;
		},
		setReadFate(next: ReadFate) {
			readFate = next;
		},
		answersReads: () => readFate === 'answer',
		/** Whether a request with this method would hang without an answer. */
		isHanging: (method = 'GET') =>
			method === 'GET' ? readFate === 'hang' : readFate !== 401 && fate === 'hang',
		/** Completes every change that is in progress, for example from `stopping` to `stopped`. */
		completeChanges() {
			for (const [id, { status }] of computers) change(id, arrivals[status] ?? status);
		},
	};
}

const statusAfter: Partial<Record<OperationId, string>> = {
	start: 'starting',
	stop: 'stopping',
	restart: 'restarting',
	update: 'updating',
};

const arrivals: Readonly<Record<string, string>> = {
	starting: 'active',
	stopping: 'stopped',
	restarting: 'active',
	updating: 'active',
};

function sentChangeFrom(method: string, path: string, fate: ChangeFate): SentChange | undefined {
	if (method === 'GET') return undefined;
	const [, id, act] = path.match(/\/sandbox\/([^/]+)(?:\/(.+))?$/) ?? [];
	if (id === undefined) return { operation: 'create', id, fate };
	const words: Readonly<Record<string, OperationId>> = {
		'preview/start': 'publish',
		'preview/stop': 'unpublish',
	};
	const operation = method === 'DELETE' ? 'delete' : (words[act ?? ''] ?? (act as OperationId));
	return { operation, id, fate };
}

const json = (status: number, body: unknown) =>
	new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const refused = (status: number) => json(status, { error: { message: `${status}`, code: 'no' } });

const broken = (): Promise<never> =>
	Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: new Error('ECONNRESET') }));

const hanging = (signal: AbortSignal): Promise<never> =>
	new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason), { once: true });
	});
