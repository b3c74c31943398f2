/** The fields of a record in JSON, and what each says. */
export type JsonFields = Readonly<Record<string, string>>;

/** Scripts rely on the names: none is ever renamed or removed. */
export type JsonRecord<Fields extends JsonFields> = { readonly [Name in keyof Fields]: unknown };

export const jsonRecord = <Fields extends JsonFields>(
	fields: Fields,
	values: { readonly [Name in keyof Fields]?: unknown },
): JsonRecord<Fields> =>
	Object.fromEntries(
		Object.keys(fields).map(name => [name, values[name] ?? null]),
	) as JsonRecord<Fields>;

export const jsonText = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

export function isoTime(at: number | null | undefined): string | null {
	if (typeof at !== 'number' || Math.abs(at) > 8.64e15) return null;
	return new Date(at).toISOString();
}
