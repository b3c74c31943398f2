import type { Credits, Model, Release, Subscription } from '../fleet/account.ts';
import type { Activity } from '../fleet/activity.ts';
import { isSafeAddress } from '../fleet/address.ts';
import type { Clock } from '../fleet/clock.ts';
import type { PublishedPort, Reading } from '../fleet/computer.ts';
import type { Gate } from '../pace/gate.ts';
import type { PaymentPage } from './decode-account.ts';
import type { ComputerList } from './decode-list.ts';
import { accountEndpoints } from './endpoints-account.ts';
import { computerEndpoints } from './endpoints-computers.ts';
import { publicationEndpoints } from './endpoints-publication.ts';
import { createExchange, type Fetch } from './exchange.ts';
import { failureOf, PlatformError } from './platform-error.ts';
import { type Credentials, createSignIn, type TokenCache } from './sign-in.ts';
import { type Asking, createTransport } from './transport.ts';

/** What an acknowledgement may say beside that it is one. */
export type Acknowledgement = { message?: string; version?: string; hasStarted?: boolean };

/** The whole HTTP interface, a function an endpoint. All throw `PlatformError` and nothing else. */
export type Platform = {
	listComputers(asking: Asking): Promise<ComputerList & { requests: number }>;
	readComputer(id: string, asking: Asking): Promise<Reading>;
	readStatus(id: string, asking: Asking): Promise<Reading>;
	createComputer(wish: { name?: string; provider?: string }, asking: Asking): Promise<Reading>;
	startComputer(id: string, asking: Asking): Promise<Acknowledgement>;
	stopComputer(id: string, asking: Asking): Promise<Acknowledgement>;
	restartComputer(id: string, asking: Asking): Promise<Acknowledgement>;
	/** Sends the wanted version along: some services require it, the others do not mind. */
	updateComputer(id: string, version: string | undefined, asking: Asking): Promise<Acknowledgement>;
	deleteComputer(id: string, asking: Asking): Promise<Acknowledgement>;
	publishPort(id: string, port: number, asking: Asking): Promise<PublishedPort>;
	unpublishPort(id: string, port: number, asking: Asking): Promise<Acknowledgement>;
	/** Asks the public address itself whether an application answers there. */
	visitPort(id: string, port: number, asking: Asking): Promise<Visit>;
	visitShare(token: string, asking: Asking): Promise<Visit>;
	publicAddress(id: string, port: number): string;
	shareAddress(token: string): string;
	models(asking: Asking): Promise<readonly Model[]>;
	latestRelease(asking: Asking): Promise<Release>;
	initializeBilling(asking: Asking): Promise<Acknowledgement>;
	openPayment(wish: { plan?: string }, asking: Asking): Promise<PaymentPage>;
	subscription(asking: Asking): Promise<Subscription | null>;
	credits(asking: Asking): Promise<Credits>;
	/** Calls off a sign-in that is under way. */
	close(): void;
};

export type Visit = { status: number; isAnswered: boolean };

export type PlatformOptions = {
	/** Ends in /v1. */
	baseUrl: string;
	credentials: Credentials;
	gate: Gate;
	clock: Clock;
	fetch: Fetch;
	/** Milliseconds for one request, from sending to the last byte of its answer. */
	timeout?: number;
	/** Counts the requests that are under way. */
	activity?: Activity | undefined;
	tokens?: TokenCache;
	/** Takes secrets out of what others say. */
	redact?: (text: string) => string;
	onSignedIn?: (email: string) => void;
};

export function createPlatform(options: PlatformOptions): Platform {
	const {
		baseUrl,
		credentials,
		gate,
		clock,
		fetch,
		timeout = 15_000,
		activity,
		tokens,
		redact,
		onSignedIn,
	} = options;
	refuseUnsafe(baseUrl);
	if (credentials.kind === 'password') refuseUnsafe(credentials.authUrl);
	const exchange = createExchange({ fetch, clock, timeout, activity });
	const signIn = createSignIn({ credentials, exchange, clock, tokens, redact, onSignedIn });
	const transport = createTransport({ baseUrl, exchange, gate, signIn, clock, redact });
	return {
		...computerEndpoints(transport, clock),
		...publicationEndpoints(transport, baseUrl),
		...accountEndpoints(transport),
		close: signIn.close,
	};
}

function refuseUnsafe(address: string): void {
	if (URL.canParse(address) && isSafeAddress(new URL(address))) return;
	const said = `${URL.canParse(address) ? new URL(address).origin : 'the address'} is not https`;
	const how = 'Credentials travel over https only, but to this machine itself.';
	throw new PlatformError({ ...failureOf('invalid', said), advice: how });
}
