import type { FactBody } from '../fleet/fact.ts';
import { type Answered, isAccountRead, type ReadName } from '../fleet/reads.ts';
import type { Platform, RequestOptions } from '../platform/platform.ts';

export type ReadPurpose = 'urgent' | 'attended' | 'rest';

export type Read = { name: ReadName; id?: string; purpose?: ReadPurpose };

export const readKey = ({ name, id }: Read) => (id === undefined ? name : `${name} ${id}`);

export type ReadResult = { fact: FactBody; requestCount: number };

export type ReadApi = Pick<
	Platform,
	'listComputers' | 'readStatus' | 'readComputer' | 'readAccount'
>;

export async function sendRead(
	platform: ReadApi,
	name: ReadName,
	options: RequestOptions,
	id = '',
): Promise<ReadResult> {
	if (isAccountRead(name)) {
		const answered = { read: name, answer: await platform.readAccount(name, options) } as Answered;
		return { fact: { type: 'answered', ...answered }, requestCount: 1 };
	}
	switch (name) {
		case 'list': {
			const { requestCount, ...list } = await platform.listComputers(options);
			return { fact: { type: 'listRead', ...list }, requestCount };
		}
		case 'status':
		case 'detail': {
			const send = name === 'status' ? platform.readStatus : platform.readComputer;
			const computer = await send(id, options);
			return { fact: { type: 'computerRead', read: name, computer }, requestCount: 1 };
		}
	}
}
