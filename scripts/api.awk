# Reads a dump of swift-api-digester, and prints one line for each public declaration: its mangled name and its facts.
# A change of a line is a change of the public API. The dump has one token per line.

# Adds a text to a list that belongs to the object at a depth.
function append(depth, list, text) {
    field[depth, list] = field[depth, list] (field[depth, list] == "" ? "" : ", ") text
}

# Adds a fact to the line of a declaration.
function fact(text) {
    facts = facts (facts == "" ? "" : "; ") text
}

# Removes the fields of an object.
function forget(depth,    i) {
    for (i = 1; i <= names[depth]; i++) delete field[depth, name[depth, i]]
    delete field[depth, "attributes"]
    delete field[depth, "conformances"]
    delete field[depth, "accessors"]
    delete field[depth, "types"]
    delete field[depth, "own"]
    delete field[depth, "spi"]
    delete field[depth, "copyable"]
    delete field[depth, "supers"]
    delete field[depth, "defaults"]
    parameters[depth] = 0
    names[depth] = 0
}

# Prints the declaration at a depth.
function declaration(depth,    kind, usr, title, i) {
    kind = field[depth, "declKind"]
    usr = field[depth, "usr"]
    # Declarations of the access level "package" are called internal.
    if (field[depth, "isInternal"] == "true" || field[depth, "spi"] != "") {
        if (kind == "Protocol") hidden[field[depth, "printedName"]] = 1
        return
    }
    if (field[depth, "implicit"] == "true" || kind == "Import") return
    title = substr(usr, 1, 2) == "s:" ? "$s" substr(usr, 3) : field[depth, "printedName"] " of " usr
    facts = ""
    # A type of another module is part of the dump only because this module extends it.
    if (field[depth, "isExternal"] == "true") {
        if (field[depth, "own"] == "") return
        fact("extended")
        lines[++count] = title " [" facts
        protocols[count] = field[depth, "own"]
        return
    }
    fact(kind)
    if (field[depth, "isOpen"] == "true") fact("open")
    if (field[depth, "deprecated"] == "true") fact("deprecated")
    if (field[depth, "isLet"] == "true") fact("let")
    else if (field[depth, "accessors"] != "") fact(field[depth, "accessors"])
    if (field[depth, "protocolReq"] == "true") fact("requirement")
    if (field[depth, "funcSelfKind"] != "" && field[depth, "funcSelfKind"] != "NonMutating")
        fact(field[depth, "funcSelfKind"])
    if (field[depth, "init_kind"] != "" && field[depth, "init_kind"] != "Designated") fact(field[depth, "init_kind"])
    if (field[depth, "attributes"] != "") fact(field[depth, "attributes"])
    if (field[depth, "defaults"] != "") fact("defaults for parameters " field[depth, "defaults"])
    if (kind ~ /^(TypeAlias|AssociatedType)$/ && field[depth, "types"] != "") fact("= " field[depth, "types"])
    if (field[depth, "enumRawTypeName"] != "") fact("raw values: " field[depth, "enumRawTypeName"])
    if (kind ~ /^(Struct|Class|Enum|Protocol|AssociatedType)$/ && field[depth, "genericSig"] != "")
        fact("where " field[depth, "genericSig"])
    if (field[depth, "supers"] != "") fact("inherits " field[depth, "supers"])
    if (kind ~ /^(Struct|Class|Enum)$/ && !field[depth, "copyable"]) fact("not Copyable")
    lines[++count] = title " [" facts
    protocols[count] = field[depth, "conformances"]
}

# Returns a list of protocols in alphabetical order, without those that are not public.
function sorted(list,    parts, n, i, j, swap) {
    n = split(list, parts, ", ")
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && parts[j] < parts[j - 1]; j--) {
            swap = parts[j]
            parts[j] = parts[j - 1]
            parts[j - 1] = swap
        }
    list = ""
    for (i = 1; i <= n; i++) if (!(parts[i] in hidden)) list = list (list == "" ? "" : ", ") parts[i]
    return list
}

{ sub(/^[ \t]+/, ""); sub(/,$/, "") }
$0 == "{" || /^"[A-Za-z_0-9]+": \{$/ {
    depth++
    kinds[depth] = "object"
    keys[depth] = ""
    forget(depth)
    next
}
/^"[A-Za-z_0-9]+": \[$/ {
    depth++
    kinds[depth] = "list"
    keys[depth] = $0
    gsub(/^"|": \[$/, "", keys[depth])
    next
}
$0 == "]" { depth--; next }
$0 == "}" {
    role = keys[depth - 1]
    kind = field[depth, "kind"]
    if (role == "conformances") {
        # Almost every type conforms to these.
        if (field[depth, "printedName"] == "Copyable") field[depth - 2, "copyable"] = 1
        else if (field[depth, "printedName"] !~ /^(Escapable|SendableMetatype)$/)
            append(depth - 2, "conformances", field[depth, "printedName"])
        if (index(field[depth, "usr"], "s:" length(module) module) == 1)
            append(depth - 2, "own", field[depth, "printedName"])
    } else if (role == "accessors") {
        if (field[depth, "accessorKind"] ~ /^(get|set)$/ && field[depth, "isInternal"] != "true")
            append(depth - 2, "accessors", field[depth, "accessorKind"])
    } else if (role == "children" && kind ~ /^Type/ && field[depth, "declKind"] == "") {
        # The first type of a function is that of its result.
        if (field[depth, "hasDefaultArg"] == "true") append(depth - 2, "defaults", parameters[depth - 2])
        append(depth - 2, "types", field[depth, "printedName"])
        parameters[depth - 2]++
    } else if (field[depth, "declKind"] != "") {
        declaration(depth)
    }
    depth--
    next
}
/^"[A-Za-z_0-9]+": / {
    key = $0
    sub(/^"/, "", key)
    sub(/".*/, "", key)
    value = $0
    sub(/^"[A-Za-z_0-9]+": /, "", value)
    gsub(/^"|"$/, "", value)
    field[depth, key] = value
    name[depth, ++names[depth]] = key
    if (key == "name" && depth == 2) module = value
    next
}
/^"/ && kinds[depth] == "list" {
    gsub(/^"|"$/, "")
    if (keys[depth] == "declAttributes" && index(" " attributes " ", " " $0 " ")) append(depth - 1, "attributes", $0)
    if (keys[depth] == "superclassNames") append(depth - 1, "supers", $0)
    if (keys[depth] == "spi_group_names") append(depth - 1, "spi", $0)
}
END {
    for (i = 1; i <= count; i++) {
        list = sorted(protocols[i])
        # An extended type without a public conformance is described by its new members.
        if (list == "" && lines[i] ~ / \[extended$/) continue
        print lines[i] (list == "" ? "" : "; conforms to " list) "]"
        printed++
    }
    if (!printed) { print "api: the dump contains no public declarations" > "/dev/stderr"; exit 1 }
}
