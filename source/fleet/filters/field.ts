export type Field<T> = {
	kind: FieldKind;
	/** None if the value is unknown, several for a field such as `port`. */
	values: (item: T, now: number) => readonly FieldValue[];
	synonyms?: readonly string[];
	possibleValues?: readonly string[];
	showsUnderscoresAsBlanks?: boolean;
	/** Values that are offered to a person who types a part of one. */
	hasFewValues?: boolean;
	/** Of what a person types after the colon, where the values are rarely typed themselves. */
	examples?: readonly string[];
	isUnread?: (item: T) => boolean;
	/** A text says what can be typed. */
	valueTest?: (typed: string) => ValueTest | string;
};

export type FieldKind = 'text' | 'number' | 'version' | 'duration';

export type FieldValue = string | number;

export type ValueTest = (value: FieldValue) => boolean;

export type FilterTable<T> = {
	fields: Readonly<Record<string, Field<T>>>;
	searched: readonly Field<T>[];
};

export function fieldNameIn<T>(fields: FilterTable<T>['fields'], word: string): string | undefined {
	const name = word.toLowerCase();
	if (Object.hasOwn(fields, name)) return name;
	return Object.keys(fields).find(each => fields[each]?.synonyms?.includes(name));
}
