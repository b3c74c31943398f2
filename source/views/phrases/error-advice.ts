import { cellsOf } from '../../lines/span.ts';

const fullStorage = 90;

type ErrorReport = {
	error?: string | null | undefined;
	/** Of the computer's own storage, in percent. */
	storage?: number | null | undefined;
	startedAt?: number | null | undefined;
};

/** Empty while nobody has read the reason. The first words that an error has decide. */
export function adviceForError({ error, storage, startedAt }: ErrorReport): string {
	if (error === undefined) return '';
	const has = (words: RegExp) => error !== null && words.test(error);
	if (has(/quota|disk (is )?full|no space|storage limit/i))
		// The usual advice would contradict the shown storage use.
		return typeof storage === 'number' && storage < fullStorage
			? `The full quota is probably that of the plan: its own storage is ${Math.round(storage)} % used. Restart it; if the error comes back, delete computers or files that nobody needs, or take a larger plan.`
			: 'The storage of the plan is used up. Delete files or computers that nobody needs, or take a larger plan, then restart it.';
	if (has(/credit|payment|billing/i))
		return 'Credits pay for running computers. Add credits in the billing view, then start it.';
	if (has(/capacity|no host|sold out/i))
		return startedAt
			? 'The location has no free machine now. Its files are kept. Restart it in a few minutes.'
			: 'The location has no free machine now. Restart it in a few minutes, or create another one instead.';
	if (has(/image|pull|registry|manifest/i))
		return 'The image did not load. Restart it to load the image again.';
	if (has(/network|address pool|attach|dns/i))
		return 'The network of the platform caused this. Restart it in a few minutes.';
	if (has(/out of memory|oom|memory limit/i))
		return 'Its programs need more memory than the plan has. Restart it and run fewer programs, or take a larger plan.';
	if (has(/ready within|time(d)? ?out|health|unresponsive/i))
		return 'Its services took too long to start. Restart it; if that fails again, something in /workspace may block the start.';
	return 'A restart keeps /workspace and often helps. If the error comes back, contact support with the id of the computer.';
}

/** Errors name their cause last, as in "image pull failed: disk full". */
export const causeStart = (error: string): number => /^.*: /s.exec(error)?.[0].length ?? 0;

/** Null if the platform gave no error, undefined if nobody has read it yet. Where it has no room, only its cause stays. */
export function errorText(error: string | null | undefined, width = Infinity) {
	if (error === undefined) return '…';
	if (!error) return 'no reason given';
	const start = cellsOf(error) <= width ? 0 : causeStart(error);
	return start === 0 ? error : `…${error.slice(start)}`;
}
