import type { PublishedPort } from '../../fleet/computer.ts';
import { portFrom } from '../../operations/question.ts';
import { readNames } from '../../script/complete-readings.ts';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { computersNamed } from '../../script/select-computers.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import { CommandError, errorFromFailure, UsageError } from '../../shell/errors.ts';
import type { addressFields, RecordOf } from '../../shell/json-fields.ts';
import type { ComputerState } from '../../store/state.ts';
import { cleanForTerminal } from '../../terminal/escape-sequences.ts';

/** Prints where a published port is reached. */
export const open: Run = (host, args) =>
	withFleet(host, args, async fleet => {
		const [word, portWord = '', ...more] = args.rest;
		const port = portFrom(portWord);
		if (word === undefined || port === undefined || more.length > 0) {
			throw new UsageError('open takes an ID or name, and a PORT from 1 to 65535');
		}
		await fleet.require('list');
		await readNames(fleet, [word]);
		const [meant] = computersNamed(fleet.current(), [word]);
		if (!meant) return exitCodes.failed;
		const record = recordFrom(fleet, meant, await published(fleet, meant, port));
		const address = args.flag('share') ? record.shareUrl : record.url;
		if (address === null) {
			throw notPublished(`port ${port} of ${record.name} is not shared with a token`);
		}
		const told = args.flag('json')
			? JSON.stringify(record, undefined, 2)
			: cleanForTerminal(address);
		host.program.stdout.write(`${told}\n`);
		return exitCodes.done;
	});

// What an earlier run knew of ports is no proof, and knows no tokens.
async function published(
	{ current: known, readDetail, session }: Fleet,
	{ id, reading }: ComputerState,
	port: number,
): Promise<PublishedPort> {
	const name = reading.name || id;
	if (!known().listFields.has('ports')) {
		const failure = await readDetail(id);
		if (failure) throw errorFromFailure(`the record of ${name} cannot be read`, failure);
	}
	const ports = known().computers.get(id)?.reading.ports;
	if (!ports) {
		const address = session.platform.publicAddress(id, port);
		const advice = `If it is published, it answers at ${address}`;
		throw notPublished(`nothing tells which ports ${name} publishes`, advice);
	}
	const found = ports.find(each => each.port === port);
	if (found) return found;
	const others = ports.map(each => each.port).join(' ');
	const advice = `Published now: ${others || 'none'}`;
	throw notPublished(`port ${port} of ${name} is not published`, advice);
}

function recordFrom(
	{ session }: Fleet,
	{ id, reading }: ComputerState,
	{ port, url, shareToken }: PublishedPort,
) {
	const { publicAddress, shareAddress } = session.platform;
	return {
		id,
		name: reading.name || id,
		port,
		url: url ?? publicAddress(id, port),
		shareUrl: shareToken === undefined ? null : shareAddress(shareToken),
	} satisfies RecordOf<typeof addressFields>;
}

function notPublished(message: string, advice = ''): CommandError {
	return new CommandError('not-published', message, advice);
}
