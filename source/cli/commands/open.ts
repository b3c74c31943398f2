import { omittedPortCount, type PublishedPort } from '../../fleet/computers/computer.ts';
import { CommandError, exitCodes, UsageError } from '../../foundation/error.ts';
import { spacedAgeText } from '../../lines/time-text.ts';
import { portFrom } from '../../operations/question-wording.ts';
import { accountsForWords, findComputer } from '../../script/choose-computers.ts';
import {
	errorFromFailure,
	type JsonFields,
	type JsonRecord,
	withAccount,
} from '../../script/command.ts';
import { type Fleet, withFleets } from '../../script/fleet.ts';
import { printRecord } from '../../script/print.ts';
import { lastPublicationOf } from '../../store/change-log.ts';
import type { ComputerState } from '../../store/state.ts';
import { cannotReadRecordText } from '../../views/phrases/reads.ts';
import type { Command } from '../command.ts';
import { severalReadingOptions } from '../options.ts';

const addressFields = {
	id: 'id of the computer',
	name: 'name of the computer',
	port: 'published port',
	url: 'public address of the port',
	shareUrl: 'address that is shared with a token, if there is one',
} as const satisfies JsonFields;

export const open: Command = {
	name: 'open',
	summary: 'print the public address of a port',
	description:
		'Without a port, the only published port is taken.\n' +
		'Exits 1 when the port is not published. If the platform does not report ports, the journal of this\n' +
		'host says whether crowsnest has published it.',
	argumentUsage: 'ID [PORT]',
	options: [
		{ name: 'share', help: 'print the address that is shared with a token' },
		...severalReadingOptions,
	],
	examples: [
		'crowsnest open atlas',
		'crowsnest open atlas 8080',
		'curl "$(crowsnest open atlas 8080)"',
	],
	json: { form: 'object', fields: addressFields, formForSeveral: 'object' },
	run(host, args) {
		const [word, portWord, ...extraWords] = args.positionals;
		const port = portWord === undefined ? undefined : portFrom(portWord);
		const isWrongPort = portWord !== undefined && port === undefined;
		if (word === undefined || isWrongPort || extraWords.length > 0) {
			throw new UsageError('open takes an id or name, and a port from 1 to 65535');
		}
		const { accounts, words } = accountsForWords(host, args, [word]);
		return withFleets(host, args, accounts, async fleets => {
			const { fleet, computer } = await findComputer(fleets, words[0]?.idOrName ?? word);
			const published = await readPublishedPort(fleet, computer, port, host.clock.now());
			const record = addressRecord(fleet, computer, published);
			const address = args.flag('share') ? record.shareUrl : record.url;
			if (address === null)
				throw notPublishedError(`Port ${port} of ${record.name} has no token that shares it`);
			printRecord(host, args, withAccount(record, fleet.label), address);
			return exitCodes.done;
		});
	},
};

// The ports in the snapshot may be out of date and have no share tokens, so the ports are read again.
async function readPublishedPort(
	{ accountNow, readDetail, session, notify }: Fleet,
	{ id, reading }: ComputerState,
	wanted: number | undefined,
	now: number,
): Promise<PublishedPort> {
	const name = reading.name || id;
	if (!accountNow().listFields.has('ports')) {
		const failure = await readDetail(id);
		if (failure) throw errorFromFailure(cannotReadRecordText(name), failure);
	}
	const ports = accountNow().computers.get(id)?.reading.ports;
	const port = wanted ?? onlyPortOf(name, ports);
	const matchingPort = ports?.find(publishedPort => publishedPort.port === port);
	if (matchingPort) return matchingPort;
	if (!ports || omittedPortCount({ ports }) > 0) {
		const published = lastPublicationOf(accountNow(), id, port);
		if (published) {
			const age = spacedAgeText(Math.max(0, now - published.at));
			notify(`From the journal of this host: ${name} published ${port} ${age} ago.`);
			return { port };
		}
		const address = session.platform.publicAddress(id, port);
		const advice = `If the port is published, its address is ${address}`;
		const message = ports
			? `${name} has more published ports than crowsnest reads`
			: `The platform does not report the published ports of ${name}`;
		throw notPublishedError(message, advice);
	}
	const portNumbers = ports.map(publishedPort => publishedPort.port).join(' ');
	const advice = `Published ports: ${portNumbers || 'none'}`;
	throw notPublishedError(`Port ${port} of ${name} is not published`, advice);
}

function onlyPortOf(name: string, ports: readonly PublishedPort[] | null | undefined): number {
	if (!ports) throw new UsageError(`The platform does not report ports: name the port of ${name}`);
	const [only, ...others] = ports.map(({ port }) => port);
	if (only === undefined) throw notPublishedError(`${name} publishes no port`);
	if (others.length === 0) return only;
	const all = [only, ...others].join(', ');
	throw new UsageError(`${name} publishes several ports. Name one: ${all}`);
}

function addressRecord(
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
	} satisfies JsonRecord<typeof addressFields>;
}

const notPublishedError = (message: string, advice = '') =>
	new CommandError('not-published', message, advice);
