import { createQrOf } from '../../drawing/qr.ts';
import { PlatformError } from '../../platform/platform-error.ts';
import type { RequestOptions } from '../../platform/transport.ts';
import { confirmed } from '../../script/answers.ts';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { plainTheme } from '../../script/plain-sections.ts';
import { createWaitTeller, patiently } from '../../script/rate-limit-wait.ts';
import { exitCodes, type Given, type Run } from '../../shell/command.ts';
import { CommandError, errorFromFailure, readOnlyError } from '../../shell/command-failure.ts';
import type { Host } from '../../shell/host.ts';
import { nothingSent, TimedOut } from '../../shell/interruption.ts';
import type { billingFields, checkoutFields, RecordOf } from '../../shell/json-fields.ts';
import { cleanForTerminal } from '../../terminal/say.ts';

/** Starts billing, after a question. */
export const billingSetup: Run = (host, given) =>
	withFleet(host, given, async fleet => {
		await ask(host, given, fleet, {
			title: 'Start billing?',
			lines: ['Billing is set up for this account, as the platform does it for a new user.'],
			prompt: 'Start it?',
		});
		const { message = '' } = await sent(host, fleet, 'billing cannot be started', asking =>
			fleet.lookout.platform.initializeBilling(asking),
		);
		const record = { result: 'done', message } satisfies RecordOf<typeof billingFields>;
		tell(host, given, record, message || 'billing is started');
		return exitCodes.done;
	});

/** Opens a payment page, after a question, and prints its address. */
export const checkout: Run = (host, given) =>
	withFleet(host, given, async fleet => {
		await ask(host, given, fleet, {
			title: 'Open a payment page?',
			lines: ['A page of the payment service is made. Nothing is paid until you pay there.'],
			prompt: 'Open it?',
		});
		const page = await sent(host, fleet, 'the payment page did not open', asking =>
			fleet.lookout.platform.openPayment({}, asking),
		);
		const { url, session = null } = page;
		const record = { url, session } satisfies RecordOf<typeof checkoutFields>;
		tell(host, given, record, url);
		if (given.flag('qr') && !given.flag('json')) showCode(host, given, fleet, url);
		return exitCodes.done;
	});

type Question = { title: string; lines: readonly string[]; prompt: string };

async function ask({ program }: Host, given: Given, fleet: Fleet, question: Question) {
	if (fleet.lookout.isReadOnly) throw readOnlyError();
	await fleet.untimed(() => confirmed(program, given, question, fleet.signal));
}

/** Sends it once: what was limited was not done and is sent again, whatever else failed is told. */
async function sent<T>(
	{ clock }: Host,
	{ lookout, signal, say }: Fleet,
	what: string,
	send: (asking: RequestOptions) => Promise<T>,
): Promise<T> {
	const patience = { clock, lookout, signal, tellWait: createWaitTeller(clock, say) };
	let isSent = false;
	const onSent = () => {
		isSent = true;
	};
	try {
		return await patiently(patience, () => {
			isSent = false;
			return send({ signal, priority: 'operation', onSent });
		});
	} catch (error) {
		const { reason } = signal;
		if (reason instanceof TimedOut) {
			throw reason.about(isSent ? 'it was sent, and nobody knows what came of it' : nothingSent);
		}
		throw error instanceof PlatformError ? errorFrom(what, error) : error;
	}
}

function errorFrom(what: string, { failure }: PlatformError): CommandError {
	if (!failure.isOutcomeUnknown) return errorFromFailure(what, failure);
	const message = `nobody knows what came of it: ${failure.message}`;
	return new CommandError(failure.kind, message, 'Look before asking again.');
}

function tell({ program }: Host, given: Given, record: object, text: string) {
	const told = given.flag('json') ? JSON.stringify(record, undefined, 2) : cleanForTerminal(text);
	program.stdout.write(`${told}\n`);
}

// Beside the output: what is printed there is the address alone.
function showCode(host: Host, given: Given, { say }: Fleet, url: string) {
	const { halves } = plainTheme(host, given).glyphs;
	const code = createQrOf()(url, halves);
	if (!code) return say('a QR code cannot be shown here');
	const { stderr } = host.program;
	const isColoured = stderr.isTTY === true;
	for (const line of code) {
		stderr.write(isColoured ? `\x1b[30;107m${line}\x1b[m\n` : `${line}\n`);
	}
}
