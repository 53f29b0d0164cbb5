import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type DescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { ProtoFile } from './proto-table.ts';

type Message = MessageInitShape<typeof DescriptorProtoSchema>;
type Field = MessageInitShape<typeof FieldDescriptorProtoSchema>;

/** Google's types that A2A's messages are made of, by the file that each is in. */
const GOOGLE: Readonly<Record<string, string>> = {
  Any: 'any',
  Duration: 'duration',
  Struct: 'struct',
  Value: 'struct',
  Timestamp: 'timestamp',
};
const SCALARS: Readonly<Record<string, Type>> = {
  string: Type.STRING,
  bytes: Type.BYTES,
  bool: Type.BOOL,
  int32: Type.INT32,
};
const FIELD = /^(?:(\w+)\.)?(\w+) (\d+) (map:)?(\w+)(\?|\[\])?$/;

/** The descriptor of a proto file, as its compiler would make it of the same messages. */
export function descriptorOf(file: ProtoFile): FileDescriptorProto {
  return create(FileDescriptorProtoSchema, {
    name: `${file.package}.proto`,
    package: file.package,
    syntax: 'proto3',
    dependency: [...new Set(Object.values(GOOGLE))].map((name) => `google/protobuf/${name}.proto`),
    enumType: Object.entries(file.enums).map(([name, values]) => ({
      name,
      value: values.map((value, number) => ({ name: value, number })),
    })),
    messageType: Object.entries(file.messages).map(([name, lines]) => messageOf(file, name, lines)),
  });
}

function messageOf(file: ProtoFile, name: string, lines: readonly string[]): Message {
  const read = lines.map(readLine);
  // A field that may be absent is alone in a oneof of its own, behind those that were written.
  const oneofs = [
    ...new Set(read.flatMap(({ oneof }) => (oneof === undefined ? [] : [oneof]))),
    ...read.flatMap(({ many, name: field }) => (many === '?' ? [`_${field}`] : [])),
  ];
  const fields = read.map(({ map, many, name: field, number, oneof, type }): Field => {
    const made = { name: field, jsonName: camelCase(field), number, label: Label.OPTIONAL };
    if (map) {
      const typeName = `.${file.package}.${name}.${entryName(field)}`;
      return { ...made, label: Label.REPEATED, type: Type.MESSAGE, typeName };
    }
    const typed = { ...made, ...typeOf(file, type) };
    if (many === '[]') return { ...typed, label: Label.REPEATED };
    if (many === '?') {
      return { ...typed, proto3Optional: true, oneofIndex: oneofs.indexOf(`_${field}`) };
    }
    return oneof === undefined ? typed : { ...typed, oneofIndex: oneofs.indexOf(oneof) };
  });
  return {
    name,
    field: fields,
    oneofDecl: oneofs.map((oneof) => ({ name: oneof })),
    nestedType: read.flatMap(({ map, name: field, type }) =>
      map ? [mapEntry(file, field, type)] : [],
    ),
  };
}

interface Line {
  readonly oneof: string | undefined;
  readonly name: string;
  readonly number: number;
  readonly map: boolean;
  readonly type: string;
  readonly many: string | undefined;
}

function readLine(line: string): Line {
  const [, oneof, name = '', number, map, type = '', many] = FIELD.exec(line) ?? [];
  if (number === undefined) throw new TypeError(`no field: ${line}`);
  return { oneof, name, number: Number(number), map: map !== undefined, type, many };
}

function typeOf(file: ProtoFile, type: string): Pick<Field, 'type' | 'typeName'> {
  const scalar = SCALARS[type];
  if (scalar !== undefined) return { type: scalar };
  if (type in GOOGLE) return { type: Type.MESSAGE, typeName: `.google.protobuf.${type}` };
  const kind = type in file.enums ? Type.ENUM : Type.MESSAGE;
  return { type: kind, typeName: `.${file.package}.${type}` };
}

function mapEntry(file: ProtoFile, field: string, type: string): Message {
  const key = { name: 'key', number: 1, label: Label.OPTIONAL, type: Type.STRING };
  const value = { name: 'value', number: 2, label: Label.OPTIONAL, ...typeOf(file, type) };
  return { name: entryName(field), field: [key, value], options: { mapEntry: true } };
}

function entryName(field: string): string {
  const name = camelCase(field);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Entry`;
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
