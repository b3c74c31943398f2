import type { Scene, Size } from './open.ts';

const sizes = <const Sizes extends readonly Size[]>(...sizes: Sizes) => ({ sizes });
const fourSizes = sizes('120x36', '80x24', '60x15', '200x60');
const threeSizes = sizes('120x36', '80x24', '60x15');
const wideAndNarrow = sizes('120x36', '60x15');

/** A fleet in the middle of its life: creations, errors, sleepers, old versions and published ports. */
export const fleet = { computers: 24, isLivedIn: true } as const;
const seven = { computers: 7 } as const;
const hundreds = { computers: 300 } as const;
/** Names that are wide, that are joined from several characters, or that are longer than any screen. */
const oddNames = [
	...[
		"add='東京の非常に長いコンピューター名前です本当に'",
		"add='👩‍👩‍👧‍👦 family 🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀'",
	],
	...[`add='${'cafe\u0301 '.repeat(12)}'`, `add='${'x'.repeat(300)}' ~6s`],
].join(' ');
const unfriendly = { TERM: 'xterm-256color', LANG: 'C' };

type Row = readonly [name: string, steps: string, more?: Partial<Scene>];

/** The scenes of one world, which a scene may change. */
const scenes = (world: Scene['world'], rows: readonly Row[]): readonly Scene[] =>
	rows.map(([name, steps, more]) => ({
		name,
		steps,
		...more,
		world: { ...world, ...more?.world },
	}));

const connections: readonly Scene[] = [
	...scenes(fleet, [
		['fleet', '~6s', fourSizes],
		['fleet-first-second', ''],
		['fleet-slow', '~6s fault=list:hang ~25s', wideAndNarrow],
		['fleet-limits-used-up', '~6s spent=other:30 ~30s', wideAndNarrow],
		['fleet-offline', '~6s fault=*:reset ~3m', { ...fourSizes, always: /offline/i }],
		['fleet-one-answer-lost', '~6s fault=*:reset ~6s'],
		['fleet-platform-error', '~6s fault=*:500 ~3m'],
		['fleet-rate-limited', '~6s fault=*:throttle ~40s', { always: /limited|next in|in \d/i }],
		['fleet-list-fails-alone', '~6s fault=list:503 ~1m'],
		[
			'fleet-signed-out',
			"~1s 'lookout' enter ~6s revoke=x ~20s",
			{
				...wideAndNarrow,
				always: /signed out|Sign in|Password/i,
				world: { asksForPassword: true },
			},
		],
		['fleet-back', '~6s fault=*:reset ~3m fault=none ~70s'],
	]),
	...scenes(seven, [
		['fleet-refused', '~6s', { world: { password: 'wrong' } }],
		['fleet-nothing-known', '~20s', { world: { faults: [{ target: '*', kind: 'reset' }] } }],
		[
			'fleet-nothing-known-rate-limited',
			'~20s',
			{ world: { faults: [{ target: '*', kind: 'throttle' }] } },
		],
		[
			'fleet-unreadable-records',
			'~6s',
			{ world: { faults: [{ target: 'list', kind: 'wrong-type' }] } },
		],
	]),
];

const fleets: readonly Scene[] = [
	...scenes(seven, [
		['fleet-seven', '~6s', wideAndNarrow],
		['fleet-minimal-list', '~300ms', { ...wideAndNarrow, world: { shapes: 'list=minimal' } }],
		['fleet-minimal-list-read', '~40s', { world: { shapes: 'list=minimal' } }],
		['fleet-unknown-words', '~6s', { world: { shapes: 'words=exotic' } }],
		[
			'fleet-changes',
			'~10s create=nova fail=gemini sleep=atlas ~8s remove=cygnus ~8s release=1.5.0 ~12s',
		],
		['looking-back', '~10s fail=gemini sleep=atlas ~8s remove=cygnus ~2m [ [', { always: /◷/ }],
		['fleet-odd-names', oddNames, wideAndNarrow],
		['fleet-too-small', '~6s', { sizes: ['29x8'] }],
		['fleet-smallest', '~6s', { sizes: ['30x6'] }],
	]),
	{ name: 'fleet-empty', world: { computers: 0 }, steps: '~6s', ...wideAndNarrow },
	{ name: 'fleet-one', world: { computers: 1 }, steps: '~6s' },
	{ name: 'fleet-thousand', world: { computers: 1_000 }, steps: '~6s G k k', ...fourSizes },
	{
		name: 'fleet-statuses-one-by-one',
		world: { computers: 60, shapes: 'listRecord=metadata,words=documented' },
		steps: '~90s',
	},
	{
		name: 'fleet-rows-older-than-list',
		world: { computers: 30, shapes: 'listRecord=minimal' },
		steps: '~40s',
		...wideAndNarrow,
	},
	{ name: 'fleet-beside-the-detail', world: fleet, steps: '~6s j j', sizes: ['200x60', '150x40'] },
];

const looks: readonly Scene[] = [
	...scenes(fleet, [
		['order-menu', '~6s o', wideAndNarrow],
		['order-by-cpu', '~6s o c'],
		['order-by-name-reversed', '~6s o n o n'],
		['filter-typing', "~6s / 'ora'", wideAndNarrow],
		['filter-kept', "~6s / 'status:active cpu:>20' enter", wideAndNarrow],
		['filter-wrong', "~6s / 'statsu:active' enter", wideAndNarrow],
		['filter-completion', "~6s / 'status:' tab"],
		['filter-nothing-matches', "~6s / 'nothing-has-this-name' enter"],
		['filter-by-error', "~6s / 'quota' enter"],
		['groups', '~6s b b w W w e', { always: /▸/ }],
		['marks', '~6s space space j space', wideAndNarrow],
		['marks-hidden-by-filter', "~6s space space / 'cygnus' enter"],
		['columns', '~6s c', wideAndNarrow],
		['columns-changed', '~6s c j j j space escape'],
		['palette', '~6s :', wideAndNarrow],
		['help', '~6s ?', threeSizes],
		['help-scrolled-to-its-end', '~6s ? G'],
		['help-search', "~6s ? / 'stop'"],
		['help-of-the-log', '~6s 5 ?'],
		['welcome', '~6s', { ...wideAndNarrow, world: { isWelcoming: true } }],
		['locked', '~6s L', { always: /locked/ }],
		['locked-question', '~6s L x'],
		['read-only', '~6s x', { always: /read-only/, world: { isReadOnly: true } }],
		['quit', '~6s o n r ~1s y ~1s q', wideAndNarrow],
	]),
	{ name: 'read-only-empty', world: { computers: 0, isReadOnly: true }, steps: '~6s' },
];

const views: readonly Scene[] = [
	...scenes(fleet, [
		['detail-active', "~6s / 'atlas' enter enter ~3s", fourSizes],
		['detail-error', "~6s / 'status:error' enter enter ~3s", fourSizes],
		['detail-stopped', "~6s / 'cygnus' enter enter ~3s"],
		['billing', '~6s 2 ~3s', threeSizes],
		['billing-after-a-while', '~6s 2 ~20m'],
		['billing-low-credits', '~6s ~25m credits=2 ~2m 2 ~1s'],
		['billing-renewed-first', '~6s 2 ~20m credits=400 ~6m', wideAndNarrow],
		['billing-payment-page', '~6s 2 ~1s o ~1s y ~2s', wideAndNarrow],
		['billing-payment-question', '~6s 2 ~1s o ~1s', { sizes: ['80x24'] }],
		['billing-failing', '~6s 2 ~3s fault=credits:500 ~5m'],
		['models', '~6s 3 ~2s', threeSizes],
		['models-filtered', "~6s 3 ~2s / 'gpt' enter"],
		['versions', '~6s 4 ~2s', threeSizes],
		['versions-update-all', '~6s 4 ~2s u ~1s', wideAndNarrow],
		['log-last-night', '~6s 5 n', { ...threeSizes, world: { hasPast: true } }],
		['log-naps-opened', '~6s 5 j j j enter', { world: { hasPast: true } }],
	]),
	...scenes(seven, [
		['detail-creating', "~6s create=nova ~12s / 'nova' enter enter ~3s", wideAndNarrow],
		['detail-after-a-while', "~6s / 'atlas' enter enter ~20m"],
		['billing-not-read', '~1s 2', { world: { faults: [{ target: 'credits', kind: 'hang' }] } }],
		['models-failing', '~6s 3 ~10s', { world: { faults: [{ target: 'models', kind: '503' }] } }],
		['versions-minimal-list', '~1s 4', { world: { shapes: 'list=minimal' } }],
		[
			'log',
			'~10s create=nova fail=gemini ~1m sleep=atlas remove=cygnus ~1m G x ~1s y ~20s 5',
			fourSizes,
		],
		[
			'log-filtered',
			"~10s create=nova fail=gemini ~1m sleep=atlas ~1m G x ~1s y ~20s 5 / 'who:you' enter",
		],
		[
			'log-under-way',
			'~6s o n G r ~1s y ~6s g x ~1s y ~1s D ~1s escape r ~1s y ~1s 5',
			wideAndNarrow,
		],
		['log-batch-opened', '~6s o n space space space s ~1s y ~20s 5 G enter'],
		['map-names', '~6s m'],
		['map-of-old-data', '~6s m fault=*:reset ~20m'],
	]),
	...scenes(hundreds, [
		['map', '~6s m', threeSizes],
		['map-by-version', '~6s m b b'],
		['map-coloured-by-version', '~6s m c'],
		['map-coloured-by-location', '~6s m b c c'],
		['map-marks', '~6s m space right right space'],
		['map-ascii', '~6s m', { world: { system: { env: unfriendly } } }],
	]),
	{ name: 'map-five-thousand', world: { computers: 5_000 }, steps: '~8s m' },
];

const operations: readonly Scene[] = [
	...scenes(fleet, [
		['question-start', "~6s / 'cygnus' enter s ~1s"],
		[
			'question-stop',
			"~6s / 'atlas' enter x ~1s",
			{ ...wideAndNarrow, always: /stops answering|Needs \d+ rows/ },
		],
		['question-restart', "~6s / 'atlas' enter r ~1s"],
		['question-update', "~6s / 'version:<1.4.2 status:active' enter u ~1s"],
		[
			'question-delete',
			"~6s / 'atlas' enter D ~1s 'atl'",
			{ ...threeSizes, always: /Erases it for good|Needs \d+ rows/ },
		],
		['question-delete-three', '~6s o n space space space D ~1s', wideAndNarrow],
		['question-stop-sixteen', "~6s / 'status:active' enter a x ~1s", wideAndNarrow],
		['question-create', "~6s n ~1s 'nova'"],
		['question-create-second-step', "~6s n ~1s 'nova' enter ~1s"],
		['question-create-name-exists', "~6s n ~1s 'atlas'"],
		['question-publish', "~6s / 'atlas' enter p ~1s '3000'", wideAndNarrow],
		['question-unpublish', "~6s / 'atlas' enter P ~1s"],
		['question-of-old-data', "~6s / 'atlas' enter fault=*:reset ~2m x ~1s"],
		['refused-operation', "~6s / 'cygnus' enter x"],
		['refusal-gone', "~6s / 'cygnus' enter x ~9s", { sizes: ['80x24'] }],
		[
			'batch-under-way',
			"~6s / 'status:active' enter a x ~1s 'stop 17' ~1s enter ~7s",
			wideAndNarrow,
		],
	]),
	...scenes(seven, [
		['question-odd-name', `${oddNames} / 'xxx' enter D ~1s`, { sizes: ['60x15'] }],
		['question-skips-some', '~6s o n a x ~1s', { sizes: ['80x24'] }],
		['question-hidden-by-filter', "~6s o n g space / 'cygnus' enter x ~1s", { sizes: ['80x24'] }],
		['question-target-changed', '~6s o n g x ~1s fail=atlas ~10s'],
		['countdown', '~6s o n r ~1s y ~1s', { ...threeSizes, always: /Esc/ }],
		[
			'countdowns-of-two',
			"~6s o n r ~1s y / 'gemini' enter r ~400ms y ~100ms",
			{ sizes: ['80x24', '30x6'], always: /Esc cancels (both|all)/ },
		],
		[
			'countdown-beside-a-refusal',
			'~6s o n r ~1s y ~1s r',
			{ sizes: ['80x24', '60x15'], always: /Esc/ },
		],
		['countdown-held-by-help', '~6s o n r ~1s y ~1s ?'],
		['countdown-cancelled', '~6s o n r ~1s y ~1s escape'],
		['queued', '~6s o n g spent=other:30 x ~1s y ~2s'],
		['under-way', '~6s o n r ~1s y ~6s'],
		['done', '~6s o n r ~1s y ~40s'],
		['failed', '~6s o n s ~1s y ~8s', wideAndNarrow],
		['failure-stands', '~6s o n s ~1s y ~2m', { sizes: ['80x24'] }],
		['failed-or-not', '~6s o n fault=restart:500 r ~1s y ~8s'],
		['unknown', '~6s o n fault=restart:lost r ~1s y ~6s'],
		['batch-partly-failed', '~6s o n space space space s ~1s y ~6s', wideAndNarrow],
		['creating', "~6s n ~1s 'nova' enter ~1s y ~12s"],
	]),
];

/** What is typed into the palette, one after the other in one monitor: no time passes between the pictures. */
export const paletteSearches = [
	...['stop', 'stop atlas', 'restart', 'error', 'bill', 'version', 'col', 'order', 'quit'],
	...['help', 'log', 'map', 'save', 'theme', 'share', 'sign', 'account', 'publish', 'xyzzy'],
	'status:stopped',
];

const accounts = { work: {}, lab: {} } as const;

const noColour = { system: { env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', NO_COLOR: '1' } } };

const others: readonly Scene[] = [
	{ name: 'two-accounts', accounts, ...threeSizes, steps: '~6s' },
	{
		name: 'two-accounts-one-fails',
		accounts,
		...wideAndNarrow,
		steps: '~6s fault=lab/*:reset ~3m',
	},
	{ name: 'two-accounts-no-colour', accounts, world: noColour, steps: '~6s' },
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
	...scenes({ ...seven, asksForPassword: true }, [
		['sign-in', "~1s 'secret'"],
		['sign-in-refused', "~1s 'wrong' enter ~3s"],
	]),
	...(
		[
			['ascii', { system: { env: unfriendly } }],
			['light', { conditions: { background: 'light' } }],
			['no-colour', noColour],
			['low-bandwidth', { conditions: { isLowBandwidth: true } }],
		] as const
	).flatMap(([name, world]) =>
		scenes({ ...fleet, ...world }, [
			[`fleet-${name}`, '~6s'],
			[`detail-error-${name}`, "~6s / 'status:error' enter enter ~3s"],
			[`offline-${name}`, '~6s fault=*:reset ~3m'],
		]),
	),
];

export const sceneGroups = {
	looks: [...connections, ...fleets, ...looks],
	views: [...views, ...operations, ...others],
} satisfies Record<string, readonly Scene[]>;

/** What a screen reader hears of some of them, and of a sign-in. */
export const spokenScenes: readonly Scene[] = [
	...scenes(fleet, [
		['start', '', { world: { profile: 'work' } }],
		['rows', 'j j G e'],
		['filter', "/ 'status:error' enter ~1s enter ~3s escape escape"],
		['views', '2 ~3s 3 ~3s 4 ~3s 5 ~1s 1'],
		['batch', "/ 'status:active' enter a x ~1s 'stop 17' ~1s enter ~10s ~30s ~60s"],
		['palette', ": 'stop vega' ~1s enter ~1s n"],
	]),
	...scenes(seven, [
		['changes', 'fail=gemini create=nova ~30s ~30s 5 j j'],
		['stop', 'g x ~1s y ~20s'],
		['restart-cancelled', 'g r ~1s y ~1s escape ~10s'],
		['delete', "g D ~1s 'atlas' ~1s enter ~10s"],
		['create', "n ~1s 'nova' enter ~1s y ~60s"],
		['offline', 'fault=*:reset ~3m fault=none ~70s'],
		['unknown', 'g fault=restart:lost r ~1s y ~6s fault=none ~60s'],
		['limits', 'spent=other:30 ~30s ~60s'],
		['sign-in', "~1s 'wrong' enter ~5s 'lookout' enter ~10s", { world: { asksForPassword: true } }],
	]),
];
