import { exitCodes } from '../../foundation/error.ts';
import { qrCode } from '../../lines/qr.ts';
import { confirmRequest, sendAfterRateLimits } from '../../script/billing-request.ts';
import type { JsonFields, JsonRecord, ParsedArgs } from '../../script/command.ts';
import { terminalPreferencesFrom } from '../../script/display-options.ts';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { printRecord } from '../../script/print.ts';
import type { Host } from '../../session/host.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';
import type { Command } from '../command.ts';
import { changingOptions } from '../options.ts';

const checkoutFields = {
	url: 'address of the payment page',
	session: "the payment service's id of the page",
} as const satisfies JsonFields;

export const checkout: Command = {
	name: 'checkout',
	isRare: true,
	summary: 'open a payment page and print its address',
	description: 'Nothing is paid until you pay on that page.',
	options: [
		{ name: 'qr', help: 'also print the address as a QR code for a phone' },
		...changingOptions,
	],
	examples: ['crowsnest checkout --qr', 'xdg-open "$(crowsnest checkout --yes)"'],
	json: { form: 'object', fields: checkoutFields },
	run: (host, args) =>
		withFleet(host, args, async fleet => {
			await confirmRequest(host, args, fleet, 'pay');
			const page = await sendAfterRateLimits(host, fleet, 'pay', request =>
				fleet.session.platform.openPayment({}, request),
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
	const { hasUnicode } = environmentFrom(host.program.env, terminalPreferencesFrom(args));
	const code = hasUnicode ? qrCode(url) : undefined;
	if (!code) return notify('Cannot draw a QR code here');
	const { stderr } = host.program;
	const isColoured = stderr.isTTY === true;
	for (const line of code) {
		stderr.write(isColoured ? `\x1b[30;107m${line}\x1b[m\n` : `${line}\n`);
	}
}
