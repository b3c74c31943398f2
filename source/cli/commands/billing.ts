import { CommandError, exitCodes } from '../../foundation/error.ts';
import type { JsonFields, JsonRecord } from '../../foundation/json.ts';
import { qrCode } from '../../lines/qr.ts';
import { yesAnswer } from '../../operations/question-wording.ts';
import { failureIn } from '../../platform/decoding/platform-error.ts';
import type { RequestOptions } from '../../platform/platform.ts';
import { type Fleet, withFleets } from '../../script/fleet.ts';
import { nothingSentText, TimedOut } from '../../script/interruption.ts';
import type { ParsedArgs } from '../../script/parsed-args.ts';
import { accountsFor, printerFor, printRecord } from '../../script/print.ts';
import { accountLines, askFor } from '../../script/prompt.ts';
import { errorFromFailure, readOnlyError } from '../../script/stderr.ts';
import type { Host } from '../../session/host.ts';
import {
	type BillingRequest,
	billingFailureText,
	billingRequestTexts,
	billingStartedText,
} from '../../views/billing.ts';
import { sentOutcomeUnknownText } from '../../views/phrases/outcome.ts';
import type { Command } from '../command.ts';
import { changingOptions } from '../options.ts';

const billingFields = {
	result: 'done',
	message: "the platform's own message; may be empty",
} as const satisfies JsonFields;

export const billingSetup: Command = {
	name: 'billing setup',
	summary: 'start billing for this account, as for a new user',
	options: changingOptions,
	examples: ['crowsnest billing setup', 'crowsnest billing setup --yes --json'],
	json: { form: 'object', fields: billingFields },
	run: (host, args) =>
		withFleets(host, args, accountsFor(host, args), async ([fleet]) => {
			const { message = '' } = await confirmAndSend(host, args, fleet, 'billing', request =>
				fleet.session.platform.initializeBilling(request),
			);
			const record = { result: 'done', message } satisfies JsonRecord<typeof billingFields>;
			printRecord(host, args, record, message || billingStartedText);
			return exitCodes.done;
		}),
};

const checkoutFields = {
	url: 'address of the payment page',
	session: "the payment service's id of the page",
} as const satisfies JsonFields;

export const checkout: Command = {
	name: 'checkout',
	summary: 'open a payment page and print its address',
	description: 'Nothing is paid until you pay on that page.',
	options: [
		{ name: 'qr', help: 'also print the address as a QR code for a phone' },
		...changingOptions,
	],
	examples: ['crowsnest checkout --qr', 'xdg-open "$(crowsnest checkout --yes)"'],
	json: { form: 'object', fields: checkoutFields },
	run: (host, args) =>
		withFleets(host, args, accountsFor(host, args), async ([fleet]) => {
			const page = await confirmAndSend(host, args, fleet, 'pay', request =>
				fleet.session.platform.openPayment(request),
			);
			const { url, session = null } = page;
			const record = { url, session } satisfies JsonRecord<typeof checkoutFields>;
			printRecord(host, args, record, url);
			if (args.flag('qr') && !args.flag('json')) await printQr(host, args, fleet, url);
			return exitCodes.done;
		}),
};

// The QR code goes to standard error, so that scripts read only the address from standard output.
async function printQr(host: Host, args: ParsedArgs, { notify }: Fleet, url: string) {
	const code = printerFor(host.program, args).hasUnicode ? qrCode(url) : undefined;
	if (!code) return notify('Cannot draw a QR code here');
	const { stderr } = host.program;
	for (const line of code) stderr.write(stderr.isTTY ? `\x1b[30;107m${line}\x1b[m\n` : `${line}\n`);
}

/** Asks first. A request that a rate limit refused had no effect, so it is repeated. */
async function confirmAndSend<T>(
	{ program }: Host,
	args: ParsedArgs,
	{ session, signal, withoutTimeout, retryWhenLimited }: Fleet,
	about: BillingRequest,
	send: (request: RequestOptions) => Promise<T>,
): Promise<T> {
	const { profile } = session;
	if (profile.isReadOnly) throw readOnlyError();
	const { title, lines, prompt } = billingRequestTexts[about];
	const asked = {
		lines: [title, ...accountLines(profile), ...lines],
		steps: [{ kind: 'yes', prompt }] as const,
		given: () => (args.flag('yes') ? yesAnswer : undefined),
		missing: `${title} There is no terminal to ask on: add --yes`,
	};
	await withoutTimeout(() => askFor(program, args, asked, signal));
	let isSent = false;
	const onSent = () => {
		isSent = true;
	};
	try {
		return await retryWhenLimited(() => {
			isSent = false;
			return send({ signal, priority: 'operation', onSent });
		});
	} catch (error) {
		const { reason } = signal;
		if (reason instanceof TimedOut)
			throw reason.withConsequence(isSent ? sentOutcomeUnknownText : nothingSentText);
		const failure = failureIn(error);
		if (!failure.isOutcomeUnknown)
			throw errorFromFailure(billingRequestTexts[about].failed, failure);
		const { message, advice } = billingFailureText(about, failure);
		throw new CommandError(failure.kind, message, advice);
	}
}
