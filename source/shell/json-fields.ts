import type { JsonFields } from './command.ts';

// THE tables of what is sent as JSON, which help and manual show. A name that was sent once stays. What
// nobody told is null, and times are in ISO 8601.

/** An object with these fields and no others. */
export type RecordOf<Told extends JsonFields> = { readonly [Name in keyof Told]: unknown };

export const errorFields = {
	kind:
		'usage, auth, denied, missing, limited, conflict, payment, invalid, server, offline, unreadable, ' +
		'cancelled, timeout, read-only, not-allowed, not-published or output',
	message: 'what went wrong',
	advice: 'what can be done about it; may be empty',
} as const satisfies JsonFields;

export const noticeFields = {
	message: 'what is waited for, or what goes on all the same',
} as const satisfies JsonFields;

export const computerFields = {
	id: 'what names it for good',
	name: 'what its owner calls it',
	status: "the platform's own word for what it is",
	phase:
		'what that word means: creating, active, stopped, error, stopping, starting, restarting, ' +
		'updating, archived, pooled or unknown',
	version: 'of its image',
	address: "within the platform's network",
	cpu: 'percent of what the plan gives',
	memory: 'percent of what the plan gives',
	storage: 'percent of what the plan gives',
	startedAt: 'when it was last started',
	createdAt: 'when it was created',
	ports: 'those that are published, each with port and url',
	error: 'what is wrong with it, when something is',
	stage: 'of its creation',
	stageProgress: '0 to 100',
} as const satisfies JsonFields;

export const outcomeFields = {
	id: 'of the computer; null for one that was not created',
	name: 'of the computer, or its id',
	operation: 'create, start, stop, restart, update, delete, publish or unpublish',
	result:
		'accepted (taken on, and still to be done), done, failed, unknown (no answer told it) or ' +
		'skipped (not sent)',
	message: 'why, or the public address of a port; may be empty',
} as const satisfies JsonFields;

export const modelFields = {
	id: 'what names it',
	owner: 'who made it',
	contextWindow: 'in tokens',
	inputPrice: 'per million tokens',
	outputPrice: 'per million tokens',
} as const satisfies JsonFields;

export const versionsFields = {
	latest: 'the newest version that is out',
	channel: 'where it comes from',
	releasedAt: 'when it came out',
	title: 'of its notes',
	description: 'of its notes',
	changes: 'of its notes, each with type and text',
	running: 'how many computers run what, each with version, count and isBehind',
	behind: 'how many computers run an older one',
} as const satisfies JsonFields;

export const creditsFields = {
	balance: 'what is left in all',
	daily: 'the part of it that is given each day',
	monthly: 'the part of it that is given each month',
	extra: 'the part of it that was bought',
	expiring: 'the part of it that ends by itself',
	nonExpiring: 'the part of it that does not',
	canRun: 'false when nothing more can run on what is left',
	burnPerHour: 'over the last hours, as far as something on this host watched',
	secondsLeft: 'until nothing is left at that pace; null when that is not known, or nothing burns',
	emptyAt: 'when that is',
} as const satisfies JsonFields;

export const subscriptionFields = {
	plan: 'free, pro, power, ultra or another; null where billing has not been started',
	planName: 'as the platform shows it',
	status: 'as the platform tells it',
	periodEndsAt: 'when it is renewed, or ends',
	endsWithPeriod: 'true when it ends then',
	sleepsAfter:
		'seconds of idling after which a computer sleeps; null when it never does, or nobody knows',
} as const satisfies JsonFields;

export const billingFields = {
	result: 'done',
	message: 'what the platform said',
} as const satisfies JsonFields;

export const checkoutFields = {
	url: 'where to pay, in a browser',
	session: 'what the payment service calls it',
} as const satisfies JsonFields;

export const addressFields = {
	id: 'of the computer',
	name: 'of the computer',
	port: 'that is published',
	url: 'its public address',
	shareUrl: 'the address that was shared with a token, where there is one',
} as const satisfies JsonFields;

export const changeFields = {
	at: 'when it was seen',
	notBefore: 'when it was last seen not to have happened',
	event:
		'status, appeared, removed, stage, operation, credits, version, trouble or recovered; ' +
		'the last two and stage are told by watch only',
	id: 'of the computer it is about',
	name: 'of the computer it is about',
	from: 'what it was: a status, a stage, a balance or a version',
	to: 'what it is now; of an operation: sent, settled, failed, unknown or cancelled',
	reason: 'why it stopped, when that is seen: asked, asleep, credits or unknown',
	operation: 'create, start, stop, restart, update, delete, publish or unpublish',
	who: 'who was signed in when the operation was asked for',
	read: 'what could not be read: list, status, detail, credits, subscription, release or models',
	message: 'the same as a line',
} as const satisfies JsonFields;

export const profileFields = {
	name: 'what --profile takes',
	url: 'where its platform answers',
	email: 'who signs in',
	password: 'where it comes from',
	readOnly: 'whether every change is refused',
	isUsed: 'whether it is the one that is used when none is named',
} as const satisfies JsonFields;

export const doctorFields = {
	version: 'of this program',
	at: 'when it looked',
	checks:
		'what it found, each with about, state (right, unsure, wrong or skipped), said, and where ' +
		'there is some, advice and shape',
} as const satisfies JsonFields;
