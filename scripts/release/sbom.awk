# Prints an SPDX 2.3 document in JSON. A record of the input has fields separated by tabs:
#
#   document NAME VERSION CREATED COMMIT NAMESPACE      the release; the first record
#   package ID NAME VERSION LOCATION LICENSE PURL       code that is linked into the tool; LOCATION and PURL may be "-"
#   file NAME SHA1 SHA256                               a file of the release

# Returns the text as a JSON string. Names, versions and addresses contain no characters that JSON escapes.
function quoted(text) {
    if (text ~ /["\\]|[^ -~]/) { print "sbom: a character that is not permitted, in: " text > "/dev/stderr"; failed = 1; exit 1 }
    return "\"" text "\""
}

# Returns the text as an SPDX identifier: letters, digits, "." and "-".
function identifier(text) {
    gsub(/[^A-Za-z0-9.-]/, "-", text)
    return text
}

# Adds a package. `purl` and `location` may be "-".
function add(id, name, version, location, license, purl,    json) {
    json = "    {\n      \"SPDXID\": " quoted("SPDXRef-Package-" id) ",\n      \"name\": " quoted(name) ",\n"
    json = json "      \"versionInfo\": " quoted(version) ",\n"
    json = json "      \"downloadLocation\": " quoted(location == "-" ? "NOASSERTION" : location) ",\n"
    json = json "      \"filesAnalyzed\": false,\n      \"licenseConcluded\": \"NOASSERTION\",\n"
    json = json "      \"licenseDeclared\": " quoted(license) ",\n      \"copyrightText\": \"NOASSERTION\""
    if (purl != "-")
        json = json ",\n      \"externalRefs\": [\n        { \"referenceCategory\": \"PACKAGE-MANAGER\", " \
            "\"referenceType\": \"purl\", \"referenceLocator\": " quoted(purl) " }\n      ]"
    packages = packages (packages == "" ? "" : ",\n") json "\n    }"
}

# Adds a relationship of two elements.
function relate(from, kind, to) {
    relations = relations (relations == "" ? "" : ",\n") "    { \"spdxElementId\": " quoted(from) \
        ", \"relationshipType\": " quoted(kind) ", \"relatedSpdxElement\": " quoted(to) " }"
}

BEGIN { FS = "\t" }
$1 == "document" && NF == 6 {
    name = $2
    version = $3
    created = $4
    namespace = $6
    main = "SPDXRef-Package-" identifier(name)
    add(identifier(name), name, version, "-", "Apache-2.0", "-")
    comment = "Built from commit " $5 "."
    relate("SPDXRef-DOCUMENT", "DESCRIBES", main)
    next
}
main == "" { print "sbom: the first record must be a document" > "/dev/stderr"; failed = 1; exit 1 }
$1 == "package" && NF == 7 {
    id = identifier($2)
    if (id in known) { print "sbom: two packages have the identifier " id > "/dev/stderr"; failed = 1; exit 1 }
    known[id] = 1
    add(id, $3, $4, $5, $6, $7)
    relate(main, "STATIC_LINK", "SPDXRef-Package-" id)
    next
}
$1 == "file" && NF == 4 {
    files = files (files == "" ? "" : ",\n") "    {\n      \"SPDXID\": " quoted("SPDXRef-File-" identifier($2)) \
        ",\n      \"fileName\": " quoted("./" $2) ",\n      \"checksums\": [\n" \
        "        { \"algorithm\": \"SHA1\", \"checksumValue\": " quoted($3) " },\n" \
        "        { \"algorithm\": \"SHA256\", \"checksumValue\": " quoted($4) " }\n      ],\n" \
        "      \"licenseConcluded\": \"NOASSERTION\",\n      \"copyrightText\": \"NOASSERTION\"\n    }"
    relate("SPDXRef-File-" identifier($2), "GENERATED_FROM", main)
    next
}
{ print "sbom: the record cannot be read: " $0 > "/dev/stderr"; failed = 1; exit 1 }
END {
    if (failed) exit 1
    if (main == "" || files == "") { print "sbom: a document and a file are required" > "/dev/stderr"; exit 1 }
    print "{"
    print "  \"spdxVersion\": \"SPDX-2.3\","
    print "  \"dataLicense\": \"CC0-1.0\","
    print "  \"SPDXID\": \"SPDXRef-DOCUMENT\","
    print "  \"name\": " quoted(name "-" version) ","
    print "  \"documentNamespace\": " quoted(namespace) ","
    print "  \"comment\": " quoted(comment) ","
    print "  \"creationInfo\": {\n    \"created\": " quoted(created) ","
    print "    \"creators\": [\"Tool: holdfast-scripts-package.sh\"]\n  },"
    print "  \"packages\": [\n" packages "\n  ],"
    print "  \"files\": [\n" files "\n  ],"
    print "  \"relationships\": [\n" relations "\n  ]"
    print "}"
}
