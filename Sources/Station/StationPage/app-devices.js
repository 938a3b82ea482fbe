// The scan guns and scales that the station reads.

import { refreshGuns, retranslateGuns, startGuns } from './app-guns.js';
import { get, send } from './app-net.js';
import { time, word } from './app-words.js';

const at = (id) => document.getElementById(id);

let devices = [];

function line(device) {
    const item = document.createElement('li');
    item.dataset.state = device.status;
    const name = document.createElement('b');
    name.textContent = device.name;
    const facts = [word('devices' + device.status[0].toUpperCase() + device.status.slice(1))];
    if (device.weight) facts.push(device.weight.weight + ' ' + device.weight.unit);
    if (device.measurement) facts.push(device.measurement.value + ' ' + device.measurement.unit);
    if (device.kind === 'gun' && device.scans) facts.push(word('codes', device.scans));
    if (device.lastSeen) facts.push(time(device.lastSeen));
    const said = document.createElement('span');
    said.textContent = facts.join(' · ');
    if (device.status === 'connected' && device.battery !== null) {
        const battery = document.createElement('span');
        battery.className = 'battery';
        battery.dataset.level = device.battery <= 20 ? 'low' : 'good';
        battery.textContent = word('battery', device.battery);
        said.append(' · ', battery);
    }
    item.append(name, ' ', said);
    if (device.problem) {
        const problem = document.createElement('p');
        problem.className = 'problem';
        problem.textContent = device.problem;
        item.append(problem);
    }
    return item;
}

export function showDevices(message) {
    if (message) devices = message.devices;
    at('devices-box').hidden = !devices.length;
    at('devices').replaceChildren(...devices.map(line));
    at('devices-reconnect').hidden = devices.every((device) => device.status === 'connected');
}

export async function refreshDevices() {
    showDevices(await get('/devices'));
    if (devices.length) await refreshGuns();
}

export function retranslateDevices() {
    showDevices();
    retranslateGuns();
}

export function startDevices(refused) {
    startGuns(refused);
    at('devices-reconnect').addEventListener('click', () => {
        send('/devices/reconnect').then(showDevices).catch(refused);
    });
}
