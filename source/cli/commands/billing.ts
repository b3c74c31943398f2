import { createQrOf } from '../../drawing/qr.ts';
import { PlatformError } from '../../platform/platform-error.ts';
import type { RequestOptions } from '../../platform/transport.ts';
import { confirm } from '../../script/answer-question.ts';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { plainTheme } from '../../script/plain-sections.ts';
import { createWaitNotice, retryWhenLimited } from '../../script/rate-limit-wait.ts';
import type { Host } from '../../session/host.ts';
import { exitCodes, type ParsedArgs, type Run } from '../../shell/command.ts';
import { CommandError, errorFromFailure, readOnlyError } from '../../shell/errors.ts';
import { nothingSent, TimedOut } from '../../shell/interruption.ts';
import type { billingFields, checkoutFields, RecordOf } from '../../shell/json-fields.ts';
import { cleanForTerminal } from '../../terminal/escape-sequences.ts';

/** Starts billing, after a question. */
export const billingSetup: Run = (host, args) =>
	withFleet(host, args, async fleet => {
		await ask(host, args, fleet, {
			title: 'Start billing?',
			lines: ['Billing is set up for this account, as the platform does it for a new user.'],
			prompt: 'Start it?',
		});
		const { message = '' } = await sent(host, fleet, 'billing cannot be started', asking =>
			fleet.session.platform.initializeBilling(asking),
		);
		const record = { result: 'done', message } satisfies RecordOf<typeof billingFields>;
		tell(host, args, record, message || 'billing is started');
		return exitCodes.done;
	});

/** Opens a payment page, after a question, and prints its address. */
export const checkout: Run = (host, args) =>
	withFleet(host, args, async fleet => {
		await ask(host, args, fleet, {
			title: 'Open a payment page?',
			lines: ['A page of the payment service is made. Nothing is paid until you pay there.'],
			prompt: 'Open it?',
		});
		const page = await sent(host, fleet, 'the payment page did not open', asking =>
			fleet.session.platform.openPayment({}, asking),
		);
		const { url, session = null } = page;
		const record = { url, session } satisfies RecordOf<typeof checkoutFields>;
		tell(host, args, record, url);
		if (args.flag('qr') && !args.flag('json')) showCode(host, args, fleet, url);
		return exitCodes.done;
	});

type Question = { title: string; lines: readonly string[]; prompt: string };

async function ask({ program }: Host, args: ParsedArgs, fleet: Fleet, question: Question) {
	if (fleet.session.isReadOnly) throw readOnlyError();
	await fleet.untimed(() => confirm(program, args, question, fleet.signal));
}

/** Sends it once: what was limited was not done and is sent again, whatever else failed is told. */
async function sent<T>(
	{ clock }: Host,
	{ session, signal, say }: Fleet,
	what: string,
	send: (asking: RequestOptions) => Promise<T>,
): Promise<T> {
	const patience = { clock, session, signal, noticeWait: createWaitNotice(clock, say) };
	let isSent = false;
	const onSent = () => {
		isSent = true;
	};
	try {
		return await retryWhenLimited(patience, () => {
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

function tell({ program }: Host, args: ParsedArgs, record: object, text: string) {
	const told = args.flag('json') ? JSON.stringify(record, undefined, 2) : cleanForTerminal(text);
	program.stdout.write(`${told}\n`);
}

// Beside the output: what is printed there is the address alone.
function showCode(host: Host, args: ParsedArgs, { say }: Fleet, url: string) {
	const { halves } = plainTheme(host, args).glyphs;
	const code = createQrOf()(url, halves);
	if (!code) return say('a QR code cannot be shown here');
	const { stderr } = host.program;
	const isColoured = stderr.isTTY === true;
	for (const line of code) {
		stderr.write(isColoured ? `\x1b[30;107m${line}\x1b[m\n` : `${line}\n`);
	}
}
