import type { Credits, Release, Subscription } from '../computers/account.ts';
import type { Phase } from '../computers/computer.ts';
import type { Runway } from '../computers/runway.ts';
import type { Uptime } from '../computers/uptime.ts';
import type { OperationId, OperationSpec } from './operation.ts';

export type OperationDetails = {
	port?: number | undefined;
	name?: string | undefined;
	provider?: string | undefined;
	/** What a person has answered to the inputs of an own command, by their names. */
	inputs?: ReadonlyMap<string, string>;
	commandLine?: CommandLine | undefined;
};

export type Target = {
	account: string;
	id: string;
	name: string;
	phase: Phase;
	/** Null if the computer reports none, undefined if nobody has read it yet. */
	version?: string | null | undefined;
	uptime?: Uptime | undefined;
	ports?: readonly number[] | undefined;
	/** Null if the platform gives no reason, undefined if nobody has read it yet. */
	error?: string | null | undefined;
	storage?: number | undefined;
	commandValues?: CommandValues | undefined;
	startsFirst?: boolean;
};

export type SkippedComputer = {
	id: string;
	name: string;
	reason: string;
	/** Whether the computer already is what the operation would make it, such as stopped. */
	isSo?: boolean;
};

export type QuestionContext = {
	now: number;
	/** Whether the question is about several computers, perhaps one in each account. */
	areSeveral: boolean;
	release?: Release | undefined;
	subscription?: Subscription | null | undefined;
	credits?: Credits | undefined;
	runway: Runway | null;
	createSlots: {
		limit: number;
		free: { operation: number };
		nextAt: { operation: number };
	};
	usualDurationMs?: number | undefined;
};

/** What an operation leads to. The phase in between, `intermediatePhase`, may pass unseen between two reads. */
type OperationGoal =
	| { reaches: 'phase'; phase: Phase; intermediatePhase: Phase }
	/** The computer is active again, after it was seen in another phase or has a new start time. */
	| { reaches: 'newStart'; intermediatePhase: Phase }
	| { reaches: 'version'; intermediatePhase: Phase }
	| { reaches: 'published' | 'unpublished' }
	| { reaches: 'gone' }
	/** Done when the platform accepts it; no read would show it. */
	| { reaches: 'accepted' }
	| { reaches: 'exit' };

/** A kind of operation. It is a POST to its id below the computer, unless `platform/platform.ts` has another. */
export type OperationRow = {
	label: string;
	/** Such as "Run ssh on"; by default the label. */
	questionLabel?: string;
	/** The third person, such as "stops". */
	verbInHelp: string;
	doingLabel: string;
	/** Such as in "atlas: stopped by you", "you stopped 3 computers" and "atlas was not stopped". */
	doneLabel: string;
	help: string;
	key?: string;
	/** Beside the hints of `monitor/actions/table.ts`. Where there is little room, the highest `drop` leaves first. */
	hint?: { rank: number; drop: number };
	commandName: string;
	examples?: readonly string[];
	subject: 'account' | 'computer' | 'port';
	allowedFrom: readonly Phase[];
	/** Where the operation is allowed but seldom helps, it has no hint and comes last in the palette. */
	seldomHelpsIn?: readonly Phase[];
	refusalReasons?: Readonly<Partial<Record<Phase, string>>>;
	goal: OperationGoal;
	evidence: 'status' | 'detail' | 'list';
	/** If so, the confirmation is typed in production. */
	endsProcesses: boolean;
	/** If not, the operation is allowed while the monitor is locked or read-only. */
	changes: boolean;
	ownCommand?: OwnCommand;
	run?: (
		wish: OperationSpec & OperationDetails,
		options: { signal: AbortSignal; onSent: () => void },
	) => Promise<Record<never, never>>;
	barredBecause?: string;
	asks: Strictness;
	/** The configuration may take its question away with `off`. Only where nothing is lost. */
	mayBeUnasked: boolean;
	needsLatestVersion: boolean;
	questionLines: (targets: readonly Target[], context: QuestionContext) => readonly string[];
	scope: 'create' | 'other' | 'none';
	overdueAfterMs: number;
};

/** What is typed is counted down as well. */
const mildestFirst = ['off', 'ask', 'wait', 'type'] as const;

export type Strictness = (typeof mildestFirst)[number];

export type QuestionStrictness = Readonly<Partial<Record<OperationId, Strictness>>>;

export const countdownMs = 4_000;

const strictestOf = (all: readonly Strictness[]): Strictness =>
	mildestFirst.findLast(each => all.includes(each)) ?? 'ask';

const maxComputersWithoutTyping = 5;

/** The stricter of the table and of each setting holds, except that a setting may switch off an optional question. */
export function strictnessOf(
	{
		asks,
		mayBeUnasked,
		changes,
		endsProcesses,
	}: Pick<OperationRow, 'asks' | 'mayBeUnasked' | 'changes' | 'endsProcesses'>,
	computerCount: number,
	accounts: readonly { setting: Strictness | undefined; isProduction: boolean }[],
): Strictness {
	if (changes && computerCount > maxComputersWithoutTyping) return 'type';
	return strictestOf(
		accounts.map(({ setting = asks, isProduction }) => {
			if (isProduction && endsProcesses) return 'type';
			return setting === 'off' && mayBeUnasked ? 'off' : strictestOf([asks, setting]);
		}),
	);
}

export type OwnCommand = {
	name: string;
	key?: string | undefined;
	label: string;
	program:
		| { type: 'words'; words: readonly string[] }
		| { type: 'shell'; script: string }
		/** With the options of the account. */
		| { type: 'ssh' };
	inputs?: readonly CommandInput[];
	phases: readonly Phase[];
	on: 'one' | 'marked';
	changes: boolean;
	confirm: Strictness;
	output: 'terminal' | 'pane' | 'none';
	timeoutMs?: number | undefined;
};

export type CommandInput = {
	name: string;
	label: string;
	options?: readonly string[] | undefined;
};

export type CommandValues = {
	id: string;
	name: string;
	account: string;
	address: string;
	url: string;
	/** Undefined if the account has no settings for ssh. */
	sshOptions?: readonly string[] | undefined;
};

export type CommandLine = {
	words: readonly string[];
	variables: Readonly<Record<string, string>>;
	input?: string;
};

export const commandVariables = {
	CROWSNEST_COMPUTER_ID: 'id',
	CROWSNEST_COMPUTER_NAME: 'name',
	CROWSNEST_COMPUTER_ADDRESS: 'address',
	CROWSNEST_COMPUTER_URL: 'url',
	CROWSNEST_ACCOUNT: 'account',
} as const satisfies Readonly<Record<string, keyof CommandValues>>;

/** A script gets them in this order, as `$1`, `$2` and so on. */
export const placeholderNames = ['id', 'name', 'address', 'account', 'url'] as const;

export type PlaceholderName = (typeof placeholderNames)[number];

export function placeholderIn(word: string): PlaceholderName | undefined {
	return placeholderNames.find(name => word === `{${name}}`);
}

/** The space makes the id different from all others. */
export const ownCommandId = ({ name }: Pick<OwnCommand, 'name'>) => `command ${name}`;

export const ownCommandNameOf = (id: string) =>
	id.startsWith('command ') ? id.slice('command '.length) : undefined;
