import { crc32 } from 'node:zlib';

// The file of a picture, in `picture-HASH.json`, with a hash of where it may be shown:
//
//   {"version":1,"shownFor":"[[\"--profile\",\"work\"],…]","at":1795432093000,"style":"\u001b[90m","lines":[" 1 Fleet …"]}

/** The top of the table as plain text, as it was drawn at a time. */
export type Picture = {
	/** When it was drawn, in milliseconds since the epoch. */
	at: number;
	/** The sequence that makes the text grey; empty where there are no colours. */
	style: string;
	lines: readonly string[];
};

/** A place where a picture may be shown: the same command line, account, configuration and size of the terminal. */
export type PicturePlace = { path: string; shownFor: string };

const fileVersion = 1;

/** A fleet may change much in a day, so an older picture would be of no use. */
const maxAgeMs = 24 * 60 * 60_000;

const maxLines = 500;

const stylePattern = /^(?:\u001B\[[\d;]{1,20}m)?$/;

/** The name of the file for a place. Pictures of other places that have the same hash replace each other. */
export function picturePlace(folder: string, conditions: readonly unknown[]): PicturePlace {
	const shownFor = JSON.stringify(conditions);
	const hash = crc32(shownFor).toString(16).padStart(8, '0');
	return { path: `${folder}/picture-${hash}.json`, shownFor };
}

export const pictureNamePattern = /^picture-[0-9a-f]{8}\.json$/;

export const pictureText = ({ shownFor }: PicturePlace, picture: Picture): string =>
	`${JSON.stringify({ version: fileVersion, shownFor, ...picture })}\n`;

/** Reads a picture; undefined if it is damaged, too old, of another version or of another place. */
export function pictureFrom(
	text: string,
	place: Pick<PicturePlace, 'shownFor'>,
	now: number,
): Picture | undefined {
	const fields = fieldsOf(text);
	const { version, shownFor, at, style, lines } = fields;
	if (version !== fileVersion || shownFor !== place.shownFor) return undefined;
	if (typeof at !== 'number' || at > now || now - at > maxAgeMs) return undefined;
	if (typeof style !== 'string' || !stylePattern.test(style)) return undefined;
	if (!Array.isArray(lines) || lines.length > maxLines || !lines.every(isSafe)) return undefined;
	return { at, style, lines };
}

/** Whether a line has nothing that would move the cursor, end the line or change the direction of the text. */
const isSafe = (line: unknown): line is string =>
	typeof line === 'string' &&
	!/[\p{Control}\p{Surrogate}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/u.test(line);

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
	try {
		return { ...Object(JSON.parse(text)) };
	} catch {
		// A picture that was only written in part is not shown.
		return {};
	}
}
