import type { Scene, Size } from './open.ts';

const fourSizes: readonly Size[] = ['120x36', '80x24', '60x15', '200x60'];
const threeSizes: readonly Size[] = ['120x36', '80x24', '60x15'];
const wideAndNarrow: readonly Size[] = ['120x36', '60x15'];

/** A fleet in the middle of its life: creations, errors, sleepers, old versions and published ports. */
export const fleet = { computers: 24, isLivedIn: true } as const;
const seven = { computers: 7 } as const;
/** Names that are wide, that are joined from several characters, or that are longer than any screen. */
const oddNames = [
	...[
		"add='東京の非常に長いコンピューター名前です本当に'",
		"add='👩‍👩‍👧‍👦 family 🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀'",
	],
	...[`add='${'cafe\u0301 '.repeat(12)}'`, `add='${'x'.repeat(300)}' ~6s`],
].join(' ');
const unfriendly = { TERM: 'xterm-256color', LANG: 'C' };

const connections: readonly Scene[] = [
	{ name: 'fleet', world: fleet, sizes: fourSizes, steps: '~6s' },
	{ name: 'fleet-first-second', world: fleet, steps: '' },
	{ name: 'fleet-slow', world: fleet, sizes: wideAndNarrow, steps: '~6s fault=list:hang ~25s' },
	{
		name: 'fleet-limits-used-up',
		world: fleet,
		sizes: wideAndNarrow,
		steps: '~6s spent=other:30 ~30s',
	},
	{
		name: 'fleet-offline',
		world: fleet,
		sizes: fourSizes,
		always: /offline/i,
		steps: '~6s fault=*:reset ~3m',
	},
	{ name: 'fleet-one-answer-lost', world: fleet, steps: '~6s fault=*:reset ~6s' },
	{ name: 'fleet-platform-error', world: fleet, steps: '~6s fault=*:500 ~3m' },
	{
		name: 'fleet-rate-limited',
		world: fleet,
		always: /limited|next in|in \d/i,
		steps: '~6s fault=*:throttle ~40s',
	},
	{ name: 'fleet-list-fails-alone', world: fleet, steps: '~6s fault=list:503 ~1m' },
	{
		name: 'fleet-signed-out',
		world: { ...fleet, asksForPassword: true },
		sizes: wideAndNarrow,
		always: /signed out|Sign in|Password/i,
		steps: "~1s 'lookout' enter ~6s revoke=x ~20s",
	},
	{
		name: 'fleet-refused',
		world: { ...seven, password: 'wrong' },
		steps: '~6s',
	},
	{
		name: 'fleet-nothing-known',
		world: { ...seven, faults: [{ target: '*', kind: 'reset' }] },
		steps: '~20s',
	},
	{
		name: 'fleet-nothing-known-rate-limited',
		world: { ...seven, faults: [{ target: '*', kind: 'throttle' }] },
		steps: '~20s',
	},
	{
		name: 'fleet-unreadable-records',
		world: { ...seven, faults: [{ target: 'list', kind: 'wrong-type' }] },
		steps: '~6s',
	},
	{ name: 'fleet-back', world: fleet, steps: '~6s fault=*:reset ~3m fault=none ~70s' },
];

const fleets: readonly Scene[] = [
	{ name: 'fleet-empty', world: { computers: 0 }, sizes: wideAndNarrow, steps: '~6s' },
	{ name: 'fleet-one', world: { computers: 1 }, steps: '~6s' },
	{ name: 'fleet-seven', world: seven, sizes: wideAndNarrow, steps: '~6s' },
	{ name: 'fleet-thousand', world: { computers: 1_000 }, sizes: fourSizes, steps: '~6s G k k' },
	{
		name: 'fleet-minimal-list',
		world: { ...seven, shapes: 'list=minimal' },
		sizes: wideAndNarrow,
		steps: '~300ms',
	},
	{ name: 'fleet-minimal-list-read', world: { ...seven, shapes: 'list=minimal' }, steps: '~40s' },
	{
		name: 'fleet-statuses-one-by-one',
		world: { computers: 60, shapes: 'listRecord=metadata,words=documented' },
		steps: '~90s',
	},
	{ name: 'fleet-unknown-words', world: { ...seven, shapes: 'words=exotic' }, steps: '~6s' },
	{
		name: 'fleet-rows-older-than-list',
		world: { computers: 30, shapes: 'listRecord=minimal' },
		sizes: wideAndNarrow,
		steps: '~40s',
	},
	{
		name: 'fleet-changes',
		world: seven,
		steps: '~10s create=nova fail=gemini sleep=atlas ~8s remove=cygnus ~8s release=1.5.0 ~12s',
	},
	{ name: 'fleet-beside-the-detail', world: fleet, sizes: ['200x60', '150x40'], steps: '~6s j j' },
	{ name: 'fleet-odd-names', world: seven, sizes: wideAndNarrow, steps: oddNames },
	{ name: 'fleet-too-small', world: seven, sizes: ['29x8'], steps: '~6s' },
	{ name: 'fleet-smallest', world: seven, sizes: ['30x6'], steps: '~6s' },
];

const looks: readonly Scene[] = [
	{ name: 'order-menu', world: fleet, sizes: wideAndNarrow, steps: '~6s o' },
	{ name: 'order-by-cpu', world: fleet, steps: '~6s o c' },
	{ name: 'order-by-name-reversed', world: fleet, steps: '~6s o n o n' },
	{ name: 'filter-typing', world: fleet, sizes: wideAndNarrow, steps: "~6s / 'ora'" },
	{
		name: 'filter-kept',
		world: fleet,
		sizes: wideAndNarrow,
		steps: "~6s / 'status:active cpu:>20' enter",
	},
	{
		name: 'filter-wrong',
		world: fleet,
		sizes: wideAndNarrow,
		steps: "~6s / 'statsu:active' enter",
	},
	{ name: 'filter-completion', world: fleet, steps: "~6s / 'status:' tab" },
	{ name: 'filter-nothing-matches', world: fleet, steps: "~6s / 'nothing-has-this-name' enter" },
	{ name: 'filter-by-error', world: fleet, steps: "~6s / 'quota' enter" },
	{ name: 'marks', world: fleet, sizes: wideAndNarrow, steps: '~6s space space j space' },
	{ name: 'marks-hidden-by-filter', world: fleet, steps: "~6s space space / 'cygnus' enter" },
	{ name: 'columns', world: fleet, sizes: wideAndNarrow, steps: '~6s c' },
	{ name: 'columns-changed', world: fleet, steps: '~6s c j j j space escape' },
	{ name: 'palette', world: fleet, sizes: wideAndNarrow, steps: '~6s :' },
	{ name: 'help', world: fleet, sizes: threeSizes, steps: '~6s ?' },
	{ name: 'help-scrolled-to-its-end', world: fleet, steps: '~6s ? G' },
	{ name: 'help-search', world: fleet, steps: "~6s ? / 'stop'" },
	{ name: 'help-of-the-log', world: fleet, steps: '~6s 5 ?' },
	{ name: 'welcome', world: { ...fleet, isWelcoming: true }, sizes: wideAndNarrow, steps: '~6s' },
	{ name: 'locked', world: fleet, always: /locked/, steps: '~6s L' },
	{ name: 'locked-question', world: fleet, steps: '~6s L x' },
	{ name: 'read-only', world: { ...fleet, isReadOnly: true }, always: /read-only/, steps: '~6s x' },
	{ name: 'read-only-empty', world: { computers: 0, isReadOnly: true }, steps: '~6s' },
	{ name: 'quit', world: fleet, sizes: wideAndNarrow, steps: '~6s o n r ~1s y ~1s q' },
];

/** What is typed into the palette, one after the other in one monitor: no time passes between the pictures. */
export const paletteSearches = [
	...['stop', 'stop atlas', 'restart', 'error', 'bill', 'version', 'col', 'order', 'quit'],
	...['help', 'log', 'map', 'save', 'theme', 'share', 'sign', 'account', 'publish', 'xyzzy'],
	'status:stopped',
];

const views: readonly Scene[] = [
	{ name: 'detail-active', world: fleet, sizes: fourSizes, steps: "~6s / 'atlas' enter enter ~3s" },
	{
		name: 'detail-error',
		world: fleet,
		sizes: fourSizes,
		steps: "~6s / 'status:error' enter enter ~3s",
	},
	{ name: 'detail-stopped', world: fleet, steps: "~6s / 'cygnus' enter enter ~3s" },
	{
		name: 'detail-creating',
		world: seven,
		sizes: wideAndNarrow,
		steps: "~6s create=nova ~12s / 'nova' enter enter ~3s",
	},
	{ name: 'detail-after-a-while', world: seven, steps: "~6s / 'atlas' enter enter ~20m" },
	{ name: 'billing', world: fleet, sizes: threeSizes, steps: '~6s 2 ~3s' },
	{ name: 'billing-after-a-while', world: fleet, steps: '~6s 2 ~20m' },
	{
		name: 'billing-low-credits',
		world: { ...fleet },
		steps: '~6s ~25m credits=2 ~2m 2 ~1s',
	},
	{
		name: 'billing-renewed-first',
		world: fleet,
		sizes: wideAndNarrow,
		steps: '~6s 2 ~20m credits=400 ~6m',
	},
	{
		name: 'billing-payment-page',
		world: fleet,
		sizes: wideAndNarrow,
		steps: '~6s 2 ~1s o ~1s y ~2s',
	},
	{ name: 'billing-payment-question', world: fleet, sizes: ['80x24'], steps: '~6s 2 ~1s o ~1s' },
	{
		name: 'billing-not-read',
		world: { ...seven, faults: [{ target: 'credits', kind: 'hang' }] },
		steps: '~1s 2',
	},
	{ name: 'billing-failing', world: fleet, steps: '~6s 2 ~3s fault=credits:500 ~5m' },
	{ name: 'models', world: fleet, sizes: threeSizes, steps: '~6s 3 ~2s' },
	{
		name: 'models-failing',
		world: { ...seven, faults: [{ target: 'models', kind: '503' }] },
		steps: '~6s 3 ~10s',
	},
	{ name: 'models-filtered', world: fleet, steps: "~6s 3 ~2s / 'gpt' enter" },
	{ name: 'versions', world: fleet, sizes: threeSizes, steps: '~6s 4 ~2s' },
	{ name: 'versions-minimal-list', world: { ...seven, shapes: 'list=minimal' }, steps: '~1s 4' },
	{ name: 'versions-update-all', world: fleet, sizes: wideAndNarrow, steps: '~6s 4 ~2s u ~1s' },
	{
		name: 'log',
		world: seven,
		sizes: fourSizes,
		steps: '~10s create=nova fail=gemini ~1m sleep=atlas remove=cygnus ~1m G x ~1s y ~20s 5',
	},
	{
		name: 'log-filtered',
		world: seven,
		steps: "~10s create=nova fail=gemini ~1m sleep=atlas ~1m G x ~1s y ~20s 5 / 'who:you' enter",
	},
	{
		name: 'log-under-way',
		world: seven,
		sizes: wideAndNarrow,
		steps: '~6s o n G r ~1s y ~6s g x ~1s y ~1s D ~1s escape r ~1s y ~1s 5',
	},
	{
		name: 'log-batch-opened',
		world: seven,
		steps: '~6s o n space space space s ~1s y ~20s 5 G enter',
	},
	{
		name: 'log-last-night',
		world: { ...fleet, hasPast: true },
		sizes: threeSizes,
		steps: '~6s 5 n',
	},
	{
		name: 'log-naps-opened',
		world: { ...fleet, hasPast: true },
		steps: '~6s 5 j j j enter',
	},
	{ name: 'map', world: { computers: 300 }, sizes: threeSizes, steps: '~6s m' },
	{ name: 'map-names', world: seven, steps: '~6s m' },
	{ name: 'map-by-status', world: { computers: 300 }, steps: '~6s m b' },
	{ name: 'map-by-version', world: { computers: 300 }, steps: '~6s m b b' },
	{ name: 'map-coloured-by-version', world: { computers: 300 }, steps: '~6s m c' },
	{ name: 'map-coloured-by-location', world: { computers: 300 }, steps: '~6s m b c c' },
	{ name: 'map-of-old-data', world: seven, steps: '~6s m fault=*:reset ~20m' },
	{ name: 'map-marks', world: { computers: 300 }, steps: '~6s m space right right space' },
	{ name: 'map-ascii', world: { computers: 300, system: { env: unfriendly } }, steps: '~6s m' },
	{ name: 'map-five-thousand', world: { computers: 5_000 }, steps: '~8s m' },
];

const operations: readonly Scene[] = [
	{
		name: 'question-start',
		world: fleet,
		steps: "~6s / 'cygnus' enter s ~1s",
	},
	{
		name: 'question-stop',
		world: fleet,
		sizes: wideAndNarrow,
		always: /stops answering|Needs \d+ rows/,
		steps: "~6s / 'atlas' enter x ~1s",
	},
	{
		name: 'question-odd-name',
		world: seven,
		sizes: ['60x15'],
		steps: `${oddNames} / 'xxx' enter D ~1s`,
	},
	{ name: 'question-skips-some', world: seven, sizes: ['80x24'], steps: '~6s o n a x ~1s' },
	{
		name: 'question-hidden-by-filter',
		world: seven,
		sizes: ['80x24'],
		steps: "~6s o n g space / 'cygnus' enter x ~1s",
	},
	{ name: 'question-restart', world: fleet, steps: "~6s / 'atlas' enter r ~1s" },
	{
		name: 'question-update',
		world: fleet,
		steps: "~6s / 'version:<1.4.2 status:active' enter u ~1s",
	},
	{
		name: 'question-delete',
		world: fleet,
		sizes: threeSizes,
		always: /Erases it for good|Needs \d+ rows/,
		steps: "~6s / 'atlas' enter D ~1s 'atl'",
	},
	{
		name: 'question-delete-three',
		world: fleet,
		sizes: wideAndNarrow,
		steps: '~6s o n space space space D ~1s',
	},
	{
		name: 'question-stop-sixteen',
		world: fleet,
		sizes: wideAndNarrow,
		steps: "~6s / 'status:active' enter a x ~1s",
	},
	{ name: 'question-create', world: fleet, steps: "~6s n ~1s 'nova'" },
	{ name: 'question-create-second-step', world: fleet, steps: "~6s n ~1s 'nova' enter ~1s" },
	{ name: 'question-create-name-exists', world: fleet, steps: "~6s n ~1s 'atlas'" },
	{
		name: 'question-publish',
		world: fleet,
		sizes: wideAndNarrow,
		steps: "~6s / 'atlas' enter p ~1s '3000'",
	},
	{ name: 'question-unpublish', world: fleet, steps: "~6s / 'atlas' enter P ~1s" },
	{
		name: 'question-of-old-data',
		world: fleet,
		steps: "~6s / 'atlas' enter fault=*:reset ~2m x ~1s",
	},
	{ name: 'question-target-changed', world: seven, steps: '~6s o n g x ~1s fail=atlas ~10s' },
	{ name: 'refused-operation', world: fleet, steps: "~6s / 'cygnus' enter x" },
	{
		name: 'countdown',
		world: seven,
		sizes: threeSizes,
		always: /Esc/,
		steps: '~6s o n r ~1s y ~1s',
	},
	{
		name: 'countdowns-of-two',
		world: seven,
		sizes: ['80x24', '30x6'],
		always: /Esc cancels (both|all)/,
		steps: "~6s o n r ~1s y / 'gemini' enter r ~400ms y ~100ms",
	},
	{
		name: 'countdown-beside-a-refusal',
		world: seven,
		sizes: ['80x24', '60x15'],
		always: /Esc/,
		steps: '~6s o n r ~1s y ~1s r',
	},
	{ name: 'countdown-held-by-help', world: seven, steps: '~6s o n r ~1s y ~1s ?' },
	{ name: 'countdown-cancelled', world: seven, steps: '~6s o n r ~1s y ~1s escape' },
	{ name: 'queued', world: seven, steps: '~6s o n g spent=other:30 x ~1s y ~2s' },
	{ name: 'under-way', world: seven, steps: '~6s o n r ~1s y ~6s' },
	{ name: 'done', world: seven, steps: '~6s o n r ~1s y ~40s' },
	{
		name: 'failed',
		world: seven,
		sizes: wideAndNarrow,
		steps: '~6s o n s ~1s y ~8s',
	},
	{
		name: 'failure-stands',
		world: seven,
		sizes: ['80x24'],
		steps: '~6s o n s ~1s y ~2m',
	},
	{ name: 'refusal-gone', world: fleet, sizes: ['80x24'], steps: "~6s / 'cygnus' enter x ~9s" },
	{
		name: 'batch-under-way',
		world: fleet,
		sizes: wideAndNarrow,
		steps: "~6s / 'status:active' enter a x ~1s 'stop 17' ~1s enter ~7s",
	},
	{ name: 'failed-or-not', world: seven, steps: '~6s o n fault=restart:500 r ~1s y ~8s' },
	{ name: 'unknown', world: seven, steps: '~6s o n fault=restart:lost r ~1s y ~6s' },
	{
		name: 'batch-partly-failed',
		world: seven,
		sizes: wideAndNarrow,
		steps: '~6s o n space space space s ~1s y ~6s',
	},
	{
		name: 'creating',
		world: seven,
		steps: "~6s n ~1s 'nova' enter ~1s y ~12s",
	},
];

const accounts = { work: {}, lab: {} } as const;

const others: readonly Scene[] = [
	{ name: 'two-accounts', accounts, sizes: threeSizes, steps: '~6s' },
	{
		name: 'two-accounts-one-fails',
		accounts,
		sizes: wideAndNarrow,
		steps: '~6s fault=lab/*:reset ~3m',
	},
	{
		name: 'two-accounts-no-colour',
		accounts,
		world: { system: { env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', NO_COLOR: '1' } } },
		steps: '~6s',
	},
	{ name: 'two-accounts-billing', accounts, steps: '~6s 2 ~2s' },
	{ name: 'two-accounts-versions', accounts, steps: '~6s 4 ~2s' },
	{ name: 'two-accounts-question', accounts, steps: "~6s / 'atlas' enter a r ~1s" },
	{ name: 'two-accounts-stop', accounts, sizes: ['80x24'], steps: "~6s / 'atlas' enter a x ~1s" },
	{ name: 'two-accounts-map', accounts, steps: '~6s m b b b' },
	{
		name: 'two-accounts-production',
		accounts: { work: { isProduction: true }, lab: {} },
		steps: "~6s / 'account:work atlas' enter x ~1s",
	},
	{
		name: 'sign-in',
		world: { ...seven, asksForPassword: true },
		steps: "~1s 'secret'",
	},
	{
		name: 'sign-in-refused',
		world: { ...seven, asksForPassword: true },
		steps: "~1s 'wrong' enter ~3s",
	},
	...(
		[
			['ascii', { system: { env: unfriendly } }],
			['light', { conditions: { background: 'light' } }],
			[
				'no-colour',
				{ system: { env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', NO_COLOR: '1' } } },
			],
			['low-bandwidth', { conditions: { isLowBandwidth: true } }],
		] as const
	).flatMap(([name, world]): Scene[] => [
		{ name: `fleet-${name}`, world: { ...fleet, ...world }, steps: '~6s' },
		{
			name: `detail-error-${name}`,
			world: { ...fleet, ...world },
			steps: "~6s / 'status:error' enter enter ~3s",
		},
		{ name: `offline-${name}`, world: { ...fleet, ...world }, steps: '~6s fault=*:reset ~3m' },
	]),
];

export const sceneGroups = {
	looks: [...connections, ...fleets, ...looks],
	views: [...views, ...operations, ...others],
} satisfies Record<string, readonly Scene[]>;

/** What a screen reader hears of some of them, and of a sign-in. */
export const spokenScenes: readonly Scene[] = [
	{ name: 'start', world: { ...fleet, profile: 'work' }, steps: '' },
	{ name: 'rows', world: fleet, steps: 'j j G e' },
	{ name: 'changes', world: seven, steps: 'fail=gemini create=nova ~30s ~30s 5 j j' },
	{ name: 'stop', world: seven, steps: 'g x ~1s y ~20s' },
	{ name: 'restart-cancelled', world: seven, steps: 'g r ~1s y ~1s escape ~10s' },
	{ name: 'delete', world: seven, steps: "g D ~1s 'atlas' ~1s enter ~10s" },
	{ name: 'create', world: seven, steps: "n ~1s 'nova' enter ~1s y ~60s" },
	{ name: 'filter', world: fleet, steps: "/ 'status:error' enter ~1s enter ~3s escape escape" },
	{ name: 'views', world: fleet, steps: '2 ~3s 3 ~3s 4 ~3s 5 ~1s 1' },
	{ name: 'offline', world: seven, steps: 'fault=*:reset ~3m fault=none ~70s' },
	{
		name: 'batch',
		world: fleet,
		steps: "/ 'status:active' enter a x ~1s 'stop 17' ~1s enter ~10s ~30s ~60s",
	},
	{ name: 'unknown', world: seven, steps: 'g fault=restart:lost r ~1s y ~6s fault=none ~60s' },
	{ name: 'limits', world: seven, steps: 'spent=other:30 ~30s ~60s' },
	{ name: 'palette', world: fleet, steps: ": 'stop vega' ~1s enter ~1s n" },
	{
		name: 'sign-in',
		world: { ...seven, asksForPassword: true },
		steps: "~1s 'wrong' enter ~5s 'lookout' enter ~10s",
	},
];
