#!/usr/bin/env node
// Makes gs1-compressed-links.tsv: messages, and the links that GS1's own toolkit makes of them.
//
// usage: make-compressed-links.js FILE      src/GS1DigitalLinkToolkit.js of https://github.com/gs1/GS1DigitalLinkToolkit.js
//                                           (Apache License 2.0)
//
// Run it in this folder; it overwrites the file. A case a line: the elements in brackets, a tab, the link. Left out is
// what the toolkit does not read back itself: it loses digits beyond the 53 bits of its numbers.
'use strict';
const fs = require('fs');
const Toolkit = eval(fs.readFileSync(process.argv[2], 'utf8').replace(/^export /mg, '') + '; GS1DigitalLinkToolkit');
const toolkit = new Toolkit();

const gtin = '09520123456788';
const keys = [
    ['00', '123456789012345675'], ['253', '9520123456788'], ['253', '9520123456788DOC-7'], ['255', '9520123456788'],
    ['255', '9520123456788000123'], ['401', '952012345ab'], ['402', '95201234567891028'], ['414', '9520123456788'],
    ['417', '9520123456788'], ['8003', gtin], ['8003', gtin + 'ab-C'], ['8004', '9520123AB/7'],
    ['8006', gtin + '0102'], ['8010', '9520123A-7'], ['8017', '952012345678900005'], ['8018', '952012345678900005'],
];
const attributes = [
    ['11', '261130'], ['13', '261130'], ['15', '261100'], ['16', '261130'], ['17', '261130'], ['20', '07'],
    ['240', 'ADD-1'], ['241', 'PART.9'], ['242', '42'], ['243', 'PCN'], ['30', '12'], ['3100', '001750'],
    ['3103', '001750'], ['3105', '000001'], ['3205', '654321'], ['3920', '1999'], ['3925', '99950'], ['3932', '9781250'],
    ['422', '276'], ['423', '276756'], ['7001', '1234567890123'], ['7003', '2611301230'], ['7007', '261130'],
    ['7007', '261101261130'], ['7030', '276AB12'], ['8005', '001999'], ['8008', '26113012'], ['8008', '261130123045'],
    ['90', 'X1'], ['91', 'deadbeef'], ['99', 'UPPER.case'],
];
// Of each of the five encodings, short and long, and digits with zeros before them.
const texts = [
    '0', '7', '007', '12345', '72292641703', '999999999999999', 'abc', 'deadbeef0123', 'ABC123', '0AF', 'FEEDFACE99',
    'x', 'aB-_9', 'AJY3095721P49', 'Serial-No_12345', 'x/y%', 'a+b', '!"*&', 'zz.1', '%%%', '"', 'ab:cd;ef<gh>ij?kl',
];

const messages = keys.map((key) => [key]);
for (const one of attributes) messages.push([['01', gtin], one]);
for (const text of texts) {
    messages.push([['01', gtin], ['10', text]], [['01', gtin], ['21', text]], [['01', gtin], ['22', text]]);
    messages.push([['01', gtin], ['10', text], ['21', text], ['17', '270131']], [['414', '9520123456788'], ['254', text]]);
    messages.push([['8010', '9520123'], ['8011', '77']], [['8006', gtin + '0102'], ['10', text]]);
}

const lines = new Set();
for (const message of messages) {
    for (const optimized of [true, false]) {
        try {
            const link = toolkit.buildCompressedGS1digitalLink(
                Object.fromEntries(message), false, 'https://id.gs1.org', optimized, false, {});
            const back = toolkit.extractFromCompressedGS1digitalLink(link).GS1;
            if (Object.keys(back).length !== message.length || message.some(([key, value]) => back[key] !== value)) continue;
            lines.add(message.map(([key, value]) => '(' + key + ')' + value).join('') + '\t' + link);
        } catch (error) {
            // What the toolkit refuses is no case.
        }
    }
}
fs.writeFileSync('gs1-compressed-links.tsv', [...lines].join('\n') + '\n');
console.log(lines.size + ' cases');
